import type { AttentionMap } from './attention-map.js';
import { attentionSvg, escapeXml } from './svg.js';

const style = `:root { color-scheme: light dark; --paper: #fff; --ink: #1f2937; }
@media (prefers-color-scheme: dark) { :root { --paper: #101216; --ink: #e6e8ec; } }
body { margin: 1.5rem auto; padding: 0 1rem; max-width: 80rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
section { overflow-x: auto; margin-bottom: 2rem; } h2 { font-size: 1rem; } svg { display: block; max-width: 100%; height: auto; } svg .paper { fill: transparent; }`;

/** A self-contained page with one map a sentence. */
export function attentionPage(maps: readonly (AttentionMap & { readonly title: string })[]): string {
  const sections = maps.map(
    (map) => `<section><h2 dir="auto">${escapeXml(map.title)}</h2>\n${attentionSvg(map)}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Attention – Seqloom</title>
<style>${style}</style>
<body>
${sections.join('\n')}
</body>
</html>
`;
}
