import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchStore, loadModel, memoryStore, Seq2Seq, saveModel, useBackend } from '../index.js';

const files = memoryStore();
let server: Server;
let url: string;

beforeAll(async () => {
  await useBackend();
  const model = Seq2Seq.create({ encoder: { hiddenSize: 4 }, sourceVocabulary: 9, targetVocabulary: 9, seed: 3 });
  await saveModel(model, files, { text: { from: 'zh' } });
  server = createServer(async (request, response) => {
    const name = request.url!.replace('/models/zh-en/', '');
    const bytes = await files.read(name);
    response.statusCode = name === 'broken' ? 500 : bytes ? 200 : 404;
    if (bytes) response.setHeader('content-length', bytes.length);
    response.end(bytes ?? 'nothing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/models/zh-en`;
});
afterAll(() => void server.close());

test('a model loads from a web server, and says how much has come', async () => {
  const seen: { name: string; loaded: number; total: number | null }[] = [];
  const { model, text } = await loadModel(fetchStore(url, { onProgress: (progress) => seen.push(progress) }));
  expect(text).toEqual({ from: 'zh' });
  expect(model.config.seed).toBe(3);
  const { length } = (await files.read('model.safetensors'))!;
  expect(seen.at(-1)).toEqual({ name: 'model.safetensors', loaded: length, total: length });
});

test('what is missing is null; what the server refuses is an error with the address', async () => {
  expect(await fetchStore(`${url}/`).read('other.json')).toBeNull();
  await expect(fetchStore(url).read('broken')).rejects.toThrow(
    /^fetchStore: http:\/\/.*\/models\/zh-en\/broken gave 500/,
  );
});

test('it can only be read', async () => {
  await expect(fetchStore(url).write('config.json', new Uint8Array())).rejects.toThrow(/can only be read$/);
  await expect(fetchStore(url).list()).rejects.toThrow(/can only be read$/);
});
