import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Translator, TranslatorOptions } from '../text/translator.js';
import { RequestBatcher } from './request-batcher.js';
import { RequestError, type RequestLimits, readTranslateRequest } from './translate-request.js';

export interface ServeOptions extends RequestLimits {
  readonly search: TranslatorOptions;
  /** Texts translated side by side. */
  readonly batch: number;
  /** Texts that may wait; more requests get 503. */
  readonly queue: number;
  /** Seconds after which a request is given up. */
  readonly seconds: number;
}

type Answer = { readonly status: number; readonly body?: unknown };

interface TranslatedLines {
  readonly text: string;
  readonly others: readonly string[];
}

/** An HTTP server that speaks LibreTranslate's /translate, /languages and /health, for one model. */
export function translationServer(translator: Translator, options: ServeOptions): Server {
  const [source, target] = translator.codec.direction?.split('-') ?? [null, null];
  const direction = { source: source ?? null, target: target ?? null };
  // Other hypotheses of a beam cost nothing; requests decide whether they see them.
  const search = { ...options.search, nBest: options.search.beam ?? 1 };
  const batcher = new RequestBatcher(translator, search, options.batch);

  const routes: Record<string, { method: string; answer: (request: IncomingMessage) => Promise<Answer> }> = {
    '/health': { method: 'GET', answer: async () => ({ status: 200, body: { status: 'ok' } }) },
    '/languages': { method: 'GET', answer: async () => ({ status: 200, body: languages(direction) }) },
    '/translate': { method: 'POST', answer: translate },
  };

  async function translate(request: IncomingMessage): Promise<Answer> {
    const signal = AbortSignal.timeout(options.seconds * 1000);
    // A character may take four bytes, or twelve where JSON escapes it.
    const body = await readBody(request, 12 * options.characters + 10_000, signal);
    const type = request.headers['content-type'] ?? '';
    const { texts, isList, alternatives, isAuto } = readTranslateRequest(body, type, direction, options);
    const lines = texts.map((text) => text.split(/\r\n|\r|\n/));
    if (batcher.length + lines.flat().length > options.queue)
      throw new RequestError(503, 'too many requests wait; try again later');
    const translated = await Promise.all(lines.map((own) => translateLines(own, signal)));
    const answer = <Value>(value: (text: TranslatedLines) => Value) => {
      const values = translated.map(value);
      return isList ? values : values[0];
    };
    const detected = { confidence: 0, language: direction.source }; // 0: the one language there is, not a guess
    return {
      status: 200,
      body: {
        translatedText: answer(({ text }) => text),
        ...(alternatives > 0 && { alternatives: answer(({ others }) => others.slice(0, alternatives)) }),
        ...(isAuto && direction.source !== null && { detectedLanguage: answer(() => detected) }),
      },
    };
  }

  /** Line by line, so that a text keeps its lines; other translations are those of a text that is one line. */
  async function translateLines(lines: readonly string[], signal: AbortSignal): Promise<TranslatedLines> {
    const found = await Promise.all(lines.map((line) => batcher.translate(line, signal)));
    const [best, ...others] = found.length === 1 ? found[0]!.hypotheses : [];
    if (best !== undefined) return { text: best.text, others: others.map(({ text }) => text) };
    return { text: found.map(({ hypotheses }) => hypotheses[0]?.text ?? '').join('\n'), others: [] };
  }

  async function handle(request: IncomingMessage): Promise<Answer> {
    const [path = '/'] = (request.url ?? '/').split('?');
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined)
      throw new RequestError(404, `no ${path} here; there are ${Object.keys(routes).join(', ')}`);
    // A browser asks first whether a page of another origin may send JSON.
    if (request.method === 'OPTIONS') return { status: 204 };
    if (request.method !== route.method)
      throw new RequestError(405, `${path} takes ${route.method}; got ${request.method}`);
    return route.answer(request);
  }

  const server = createServer((request, response) => {
    handle(request)
      .catch(toAnswer)
      .then((answer) => send(response, answer, server.listening));
  });
  server.requestTimeout = options.seconds * 1000;
  return server;
}

async function readBody(request: IncomingMessage, limit: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new RequestError(413, `the body must have at most ${limit} bytes`);
    signal.throwIfAborted();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new RequestError(400, 'the body must be UTF-8');
  }
}

function toAnswer(error: unknown): Answer {
  if (error instanceof RequestError) return { status: error.status, body: { error: error.message } };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { status: 504, body: { error: 'the time is up' } };
  return { status: 500, body: { error: 'the translation failed' } };
}

function send(response: ServerResponse, { status, body }: Answer, keepAlive: boolean): void {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, {
    ...(body !== undefined && {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    }),
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'Authorization, Content-Type',
    // What is left of a body that was refused is not read; a server that stops keeps no connection.
    ...((status === 413 || !keepAlive) && { connection: 'close' }),
  });
  response.end(bytes);
}

function languages({ source, target }: { source: string | null; target: string | null }): unknown {
  if (source === null || target === null) return [];
  return [
    { code: source, name: languageName(source), targets: [target] },
    { code: target, name: languageName(target), targets: [] },
  ];
}

function languageName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
