import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { preparedName, staticAnswer } from '../../src/http/static-answer.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-prepared-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const CONTENT = Buffer.from('sluice '.repeat(1_000));
const OPTIONS = { contentType: 'text/plain', headers: {} };
const asking = (coding: string) => ({ method: 'GET', headers: new Headers({ 'accept-encoding': coding }) });
const answerFor = (content: Buffer) => staticAnswer(content, OPTIONS, pathToFileURL(`${folder}/`));

it('sends the form that the build has compressed', async () => {
  await writeFile(join(folder, preparedName(CONTENT, 'br')), 'made by the build');
  const { body, headers } = await answerFor(CONTENT).answer(asking('br'));
  expect(Buffer.from(body ?? []).toString()).toBe('made by the build');
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'content-length': '17' });
});

it('compresses once where the build has made no form of this content', async () => {
  const changed = Buffer.from(`${CONTENT}.`);
  const answer = answerFor(changed);
  const [br, gzip] = [await answer.answer(asking('br')), await answer.answer(asking('gzip'))];
  expect(brotliDecompressSync(br.body ?? Buffer.alloc(0)).equals(changed)).toBe(true);
  expect(gunzipSync(gzip.body ?? Buffer.alloc(0)).equals(changed)).toBe(true);
  expect((await answer.answer(asking('br'))).body).toBe(br.body);
});
