import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untrainedTranslator } from '../testing/untrained-translator.js';
import type { Translator } from '../text/translator.js';
import { translationServer } from './server.js';

let translator: Translator;
let server: Server;
let url: string;

const limits = { batch: 8, queue: 500, seconds: 20, characters: 200, texts: 5 };

beforeAll(async () => {
  translator = await untrainedTranslator();
  server = translationServer(translator, { ...limits, search: translator.search });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = (body: BodyInit, type = 'application/json') =>
  fetch(`${url}/translate`, { method: 'POST', body, headers: { 'content-type': type } });
const ask = async (request: object) =>
  (await (await post(JSON.stringify(request))).json()) as { translatedText: unknown };
const alone = async (text: string) => (await translator.translate([text]))[0]!.hypotheses[0]!.text;

test('answers as LibreTranslate does: a text for a text, a list for a list, from JSON and from a form', async () => {
  const cats = await alone('我喜欢猫。');
  expect(await ask({ q: '我喜欢猫。', source: 'zh', target: 'en', format: 'text', api_key: '' })).toEqual({
    translatedText: cats,
  });
  expect(await ask({ q: ['我喜欢猫。', ''], source: 'auto', target: 'en' })).toEqual({
    translatedText: [cats, ''],
    detectedLanguage: [
      { confidence: 0, language: 'zh' },
      { confidence: 0, language: 'zh' },
    ],
  });
  const form = await post(
    new URLSearchParams({ q: '我喜欢猫。', source: 'zh', target: 'en' }).toString(),
    'application/x-www-form-urlencoded',
  );
  expect(await form.json()).toEqual({ translatedText: cats });
});

test('other translations are told where they are asked for, best first', async () => {
  const beam = translationServer(translator, { ...limits, search: { ...translator.search, beam: 3 } });
  beam.listen(0, '127.0.0.1');
  await once(beam, 'listening');
  const address = `http://127.0.0.1:${(beam.address() as AddressInfo).port}/translate`;
  const send = async (request: object) =>
    (await (await fetch(address, { method: 'POST', body: JSON.stringify(request) })).json()) as object;
  const expected = (await translator.translate(['我喜欢猫。'], { ...translator.search, beam: 3, nBest: 3 }))[0]!;
  const [best, second, third] = expected.hypotheses.map(({ text }) => text);
  expect(await send({ q: '我喜欢猫。' })).toEqual({ translatedText: best });
  expect(await send({ q: '我喜欢猫。', alternatives: 1 })).toEqual({ translatedText: best, alternatives: [second] });
  expect(await send({ q: ['我喜欢猫。', ''], alternatives: 5 })).toEqual({
    translatedText: [best, ''],
    alternatives: [[second, third], []],
  });
  beam.close();
  beam.closeIdleConnections();
});

test('a page of another origin may ask', async () => {
  const response = await fetch(`${url}/translate`, { method: 'OPTIONS' });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('access-control-allow-headers')).toContain('Content-Type');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test('a text keeps its lines', async () => {
  const { translatedText } = await ask({ q: '我喜欢猫。\n\n她喜欢茶！', source: 'zh', target: 'en' });
  expect(translatedText).toBe(`${await alone('我喜欢猫。')}\n\n${await alone('她喜欢茶！')}`);
});

test('tells its languages and its health', async () => {
  expect(await (await fetch(`${url}/languages`)).json()).toEqual([
    { code: 'zh', name: 'Chinese', targets: ['en'] },
    { code: 'en', name: 'English', targets: [] },
  ]);
  expect(await (await fetch(`${url}/health?now`)).json()).toEqual({ status: 'ok' });
});

test.each([
  ['no JSON', '{', 400, 'must be JSON'],
  ['no object', '[1]', 400, 'must be a JSON object'],
  ['no q', '{"source":"zh","target":"en"}', 400, 'q must be'],
  ['a number for q', '{"q":1}', 400, 'q must be'],
  ['a language that is not there', '{"q":"a","source":"zh","target":"fr"}', 400, 'target must be en; got "fr"'],
  ['alternatives that are no number', '{"q":"a","alternatives":"many"}', 400, 'whole number; got "many"'],
  ['HTML', '{"q":"a","format":"html"}', 400, 'format must be text'],
  ['too many texts', JSON.stringify({ q: ['a', 'a', 'a', 'a', 'a', 'a'] }), 413, 'at most 5 texts'],
  ['too long a text', JSON.stringify({ q: 'a'.repeat(201) }), 413, 'at most 200 characters'],
  ['too large a body', 'x'.repeat(100_000), 413, 'bytes'],
  ['a body that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, 'must be UTF-8'],
])('%s is refused by name', async (_, body, status, message) => {
  const response = await post(body as BodyInit);
  expect(response.status).toBe(status);
  expect(((await response.json()) as { error: string }).error).toContain(message);
});

test.each([
  ['GET', '/translate', 405],
  ['POST', '/health', 405],
  ['GET', '/nothing', 404],
  ['GET', '/__proto__', 404],
])('%s %s gets %i', async (method, path, status) => {
  expect((await fetch(url + path, { method })).status).toBe(status);
});

test('200 malformed requests, some that are no HTTP, leave it alive', async () => {
  const garbage = (text: string) =>
    new Promise<void>((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.end(text));
      socket.resume();
      socket.on('error', () => resolve()).on('close', () => resolve());
    });
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      i % 4 === 0
        ? garbage(`GET ${'\u0000'.repeat(i)} HTTP/9\r\n\r\n`)
        : post(`{"q": ${'['.repeat(i)}`).then((response) => expect(response.status).toBe(400)),
    ),
  );
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('concurrent requests each get their own answer, in fewer batches than requests', async () => {
  const texts = ['我喜欢猫。', '她喜欢茶！', '我喜欢茶。', '茶', '猫猫', '她'];
  const expected = await Promise.all(texts.map(alone));
  let batches = 0;
  const counted = new Proxy(translator, {
    get(of, key) {
      const value = Reflect.get(of, key, of);
      if (key !== 'translate') return typeof value === 'function' ? value.bind(of) : value;
      batches++;
      return value.bind(of);
    },
  });
  const other = translationServer(counted, { ...limits, search: translator.search });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const answers = await Promise.all(
    Array.from({ length: 120 }, async (_, i) => {
      const response = await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}/translate`, {
        method: 'POST',
        body: JSON.stringify({ q: texts[i % texts.length] }),
      });
      return ((await response.json()) as { translatedText: string }).translatedText;
    }),
  );
  expect(answers).toEqual(Array.from({ length: 120 }, (_, i) => expected[i % texts.length]));
  expect(batches).toBeLessThan(60);
  other.close();
  other.closeIdleConnections();
});

test('a full queue says so, and a request whose time is up is answered', async () => {
  const strict = translationServer(translator, { ...limits, queue: 1, seconds: 0.001, search: translator.search });
  strict.listen(0, '127.0.0.1');
  await once(strict, 'listening');
  const address = `http://127.0.0.1:${(strict.address() as AddressInfo).port}/translate`;
  const send = async (q: unknown) => (await fetch(address, { method: 'POST', body: JSON.stringify({ q }) })).status;
  expect(await send(['a', 'b'])).toBe(503);
  expect(await send('a\nb')).toBe(503);
  expect(await send('我喜欢猫。'.repeat(40))).toBe(504);
  strict.closeAllConnections();
  strict.close();
});
