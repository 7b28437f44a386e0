import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

let rpc: LocalnetRpc;
let gateway: TestApp;

beforeAll(async () => {
  rpc = await serveChain(unchangedChain());
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
});

afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
});

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url: 'http://sluice.test/graphql',
    fetchFn: (url: string, init: RequestInit) => gateway.app.fetch(new Request(url, init)),
  });

  it('has its audits', () => {
    expect(audits.length).toBeGreaterThan(50);
  });

  it.each(audits.map(({ name, fn }) => ({ name, fn })))('$name', async ({ fn }) => {
    const result = await fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
  });
});
