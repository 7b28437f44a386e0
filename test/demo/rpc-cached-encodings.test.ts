import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EncodingCache } from '../../src/demo/rpc/encode-account.ts';
import { type DemoRpcServer, startDemoRpc } from '../../src/demo/rpc/server.ts';
import { account, FakeLedger, testAddress } from '../support/ledger/fake-ledger.ts';

const SMALL = testAddress(1);
const LARGE = testAddress(2);
const OTHER = testAddress(3);
const MISSING = testAddress(4);
const bytes = (length: number, step: number) => Uint8Array.from({ length }, (_, i) => (i * step) % 251);

const ledger = new FakeLedger();
const encodings: EncodingCache = new WeakMap();
let plain: DemoRpcServer;
let keeping: DemoRpcServer;

beforeAll(async () => {
  ledger.accounts.set(SMALL, account(bytes(40, 1)));
  ledger.accounts.set(LARGE, account(bytes(62_552, 3)));
  ledger.accounts.set(OTHER, account(bytes(8_624, 7)));
  [plain, keeping] = await Promise.all([startDemoRpc(ledger), startDemoRpc(ledger, { encodings })]);
});
afterAll(() => Promise.all([plain.close(), keeping.close()]));

async function answer({ url }: DemoRpcServer, method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
  return text;
}

const page = (server: DemoRpcServer, config: object = { encoding: 'base64' }) =>
  answer(server, 'getMultipleAccounts', [SMALL, LARGE, MISSING, OTHER, LARGE], config);

test('kept accounts are told as others are, the first time and again', async () => {
  const expected = await page(plain);
  expect(await page(keeping)).toBe(expected);
  expect(await page(keeping)).toBe(expected);
  const one = [LARGE, { encoding: 'base64' }];
  expect(await answer(keeping, 'getAccountInfo', ...one)).toBe(await answer(plain, 'getAccountInfo', ...one));
});

test('a large account is encoded once', async () => {
  await page(keeping);
  const large = account(bytes(62_552, 5));
  ledger.accounts.set(LARGE, large);
  encodings.set(large, Buffer.from('{"kept":true}'));
  expect(
    JSON.parse(await answer(keeping, 'getAccountInfo', LARGE, { encoding: 'base64' })).result.value,
  ).toEqual({ kept: true });
});

test('a part of an account, or another form of it, is not what is kept', async () => {
  ledger.accounts.set(LARGE, account(bytes(62_552, 9)));
  await page(keeping);
  for (const config of [
    { encoding: 'base64', dataSlice: { offset: 10, length: 20 } },
    { encoding: 'jsonParsed' },
  ])
    expect(await page(keeping, config)).toBe(await page(plain, config));
});

test('an account that was replaced is told as it is now', async () => {
  const before = await page(keeping);
  ledger.accounts.set(LARGE, account(bytes(62_552, 11)));
  const after = await page(keeping);
  expect(after).not.toBe(before);
  expect(after).toBe(await page(plain));
});
