import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDeposit } from '../../docs/typed-client/deposit.ts';
import { positionValues } from '../../docs/typed-client/wallet.ts';
import { requestListener } from '../../src/http/server.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';

let gateway: TestEmbeddedApp;
const server = createServer((request, response) => requestListener(gateway.app.fetch)(request, response));

beforeAll(async () => {
  gateway = await startEmbeddedApp();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.close();
  await gateway?.app.stop();
});

it('the documented client reads a wallet from a gateway', async () => {
  const { port } = server.address() as AddressInfo;
  const values = await positionValues(`http://127.0.0.1:${port}/graphql`, gateway.addresses.wallet);
  expect(values.length).toBeGreaterThanOrEqual(2);
  for (const value of values) expect(Number(value)).toBeGreaterThan(0);
});

it('the documented client builds a deposit, and tells why one is refused', async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;
  const { wallet, vault, market } = gateway.addresses;
  const [transaction] = await buildDeposit(url, { wallet, vault, amount: { tokens: '1' } });
  expect(Buffer.from(transaction ?? '', 'base64').length).toBeGreaterThan(200);
  await expect(buildDeposit(url, { wallet, vault, amount: { tokens: '0' } })).rejects.toThrow(
    /^AMOUNT_NOT_POSITIVE: /,
  );
  await expect(buildDeposit(url, { wallet, vault: market, amount: { tokens: '1' } })).rejects.toThrow(
    /^KVAULT_NOT_FOUND: /,
  );
});
