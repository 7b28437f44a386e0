import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { startTestApp, type TestApp } from '../support/apps/test-app.ts';

let gateway: TestApp;

beforeAll(async () => {
  const env = { GEYSER_URLS: 'localnet', RECORDER: 'none', DRIFT_INTERVAL_MS: '0' };
  gateway = await startTestApp({ rpcUrls: [], env });
});

afterAll(async () => {
  await gateway?.stop();
});

it('follows the stream of its own localnet, so that a wallet takes no RPC call', async () => {
  const { chain, embedded } = gateway.app;
  await until(() => chain.state().stream?.status === 'streaming' && chain.views.newest?.positions != null);
  expect(embedded?.geyser?.streams).toBe(1);
  expect(new URL(embedded?.geyser?.url ?? '').hostname).toBe('127.0.0.1');
  const answer = await gateway.query(
    `{ wallet(address: "${embedded?.addresses.wallet}") { obligations { nodes { address } } } }`,
  );
  expect(answer.errors).toEqual([]);
  expect(answer.extensions.chain?.rpcRequests).toBe(0);
  expect(JSON.stringify(answer.data)).toContain('address');
});
