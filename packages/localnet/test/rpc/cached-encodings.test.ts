import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EncodingCache } from '../../src/rpc/encode-account.ts';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const SMALL = testAddress(1);
const LARGE = testAddress(2);
const OTHER = testAddress(3);
const MISSING = testAddress(4);
const bytes = (length: number, step: number) => Uint8Array.from({ length }, (_, i) => (i * step) % 251);

const localChain = new FakeChain();
const encodings: EncodingCache = new WeakMap();
let plain: LocalnetRpc;
let caching: LocalnetRpc;

beforeAll(async () => {
  localChain.accounts.set(SMALL, account(bytes(40, 1)));
  localChain.accounts.set(LARGE, account(bytes(62_552, 3)));
  localChain.accounts.set(OTHER, account(bytes(8_624, 7)));
  [plain, caching] = await Promise.all([
    startRpcServer(localChain),
    startRpcServer(localChain, { encodings }),
  ]);
});
afterAll(() => Promise.all([plain.close(), caching.close()]));

async function answer({ url }: LocalnetRpc, method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
  return text;
}

const page = (server: LocalnetRpc, config: object = { encoding: 'base64' }) =>
  answer(server, 'getMultipleAccounts', [SMALL, LARGE, MISSING, OTHER, LARGE], config);

test('cached and uncached encodings are identical, on the first read and later', async () => {
  const expected = await page(plain);
  expect(await page(caching)).toBe(expected);
  expect(await page(caching)).toBe(expected);
  const one = [LARGE, { encoding: 'base64' }];
  expect(await answer(caching, 'getAccountInfo', ...one)).toBe(await answer(plain, 'getAccountInfo', ...one));
});

test('a large account is encoded once', async () => {
  await page(caching);
  const large = account(bytes(62_552, 5));
  localChain.accounts.set(LARGE, large);
  encodings.set(large, Buffer.from('{"cached":true}'));
  expect(
    JSON.parse(await answer(caching, 'getAccountInfo', LARGE, { encoding: 'base64' })).result.value,
  ).toEqual({ cached: true });
});

test('slices and other encodings bypass the cache', async () => {
  localChain.accounts.set(LARGE, account(bytes(62_552, 9)));
  await page(caching);
  for (const config of [
    { encoding: 'base64', dataSlice: { offset: 10, length: 20 } },
    { encoding: 'jsonParsed' },
  ])
    expect(await page(caching, config)).toBe(await page(plain, config));
});

test('a replaced account is encoded again', async () => {
  const before = await page(caching);
  localChain.accounts.set(LARGE, account(bytes(62_552, 11)));
  const after = await page(caching);
  expect(after).not.toBe(before);
  expect(after).toBe(await page(plain));
});
