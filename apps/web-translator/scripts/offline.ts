// The service worker's file, written at the end of a build: it has to name every file of the page.
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/** Makes the page work without a network after its first visit. */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const hash = createHash('sha256');
      for (const file of Object.values(bundle)) hash.update(file.type === 'asset' ? file.source : file.code);
      const files = ['./', 'favicon.svg', ...Object.keys(bundle).filter((name) => name !== 'index.html')];
      const source = serviceWorker(files, hash.digest('hex').slice(0, 16));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}

/**
 * Keeps every file of the page. Files whose names carry a hash come from the cache, others from the network while there is one:
 * a page or a model built anew is seen at once, and another program on the same port is not shadowed.
 */
function serviceWorker(files: readonly string[], version: string): string {
  return `const PAGE = \`seqloom \${registration.scope} \`;
const CACHE = PAGE + '${version}';
const FILES = ${JSON.stringify(files)};
const KEPT = new Set(FILES.map((file) => new URL(file, location.href).href));

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = (name) => name.startsWith(PAGE) && name !== CACHE;
  const tidied = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(tidied.then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const url = event.request.url.replace(/[?#].*$/, '');
  if (event.request.method !== 'GET' || !KEPT.has(url)) return;
  const kept = () => caches.match(url, { cacheName: CACHE });
  const fetched = () => fetch(event.request);
  event.respondWith(
    url.includes('/assets/')
      ? kept().then((response) => response ?? fetched())
      : fetched().catch((error) => kept().then((response) => response ?? Promise.reject(error))),
  );
});
`;
}
