import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
