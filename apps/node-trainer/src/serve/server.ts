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

type Answer = { readonly status: number; readonly body: unknown };

/** An HTTP server that speaks LibreTranslate's /translate, /languages and /health, for one model. */
export function translationServer(translator: Translator, options: ServeOptions): Server {
  const [source, target] = translator.codec.direction?.split('-') ?? [null, null];
  const direction = { source: source ?? null, target: target ?? null };
  const batcher = new RequestBatcher(translator, options.search, options.batch);

  const routes: Record<string, { method: string; answer: (request: IncomingMessage) => Promise<Answer> }> = {
    '/health': { method: 'GET', answer: async () => ({ status: 200, body: { status: 'ok' } }) },
    '/languages': { method: 'GET', answer: async () => ({ status: 200, body: languages(direction) }) },
    '/translate': { method: 'POST', answer: translate },
  };

  async function translate(request: IncomingMessage): Promise<Answer> {
    const signal = AbortSignal.timeout(options.seconds * 1000);
    // A character may take four bytes, or twelve where JSON escapes it.
    const body = await readBody(request, 12 * options.characters + 10_000, signal);
    const { texts, isList } = readTranslateRequest(body, request.headers['content-type'] ?? '', direction, options);
    if (batcher.length + texts.length > options.queue)
      throw new RequestError(503, 'too many requests wait; try again later');
    const translated = await Promise.all(texts.map((text) => translateText(text, signal)));
    return { status: 200, body: { translatedText: isList ? translated : translated[0] } };
  }

  /** Line by line, so that the text keeps its lines. */
  async function translateText(text: string, signal: AbortSignal): Promise<string> {
    const lines = await Promise.all(text.split(/\r\n|\r|\n/).map((line) => batcher.translate(line, signal)));
    return lines.map(({ hypotheses }) => hypotheses[0]?.text ?? '').join('\n');
  }

  async function handle(request: IncomingMessage): Promise<Answer> {
    const [path = '/'] = (request.url ?? '/').split('?');
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined)
      throw new RequestError(404, `no ${path} here; there are ${Object.keys(routes).join(', ')}`);
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
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'access-control-allow-origin': '*',
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
