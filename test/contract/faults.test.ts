import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/rest/table.ts';
import { BUILDER_ERROR, misfits } from '../support/contract-fields.ts';
import { type ContractWorld, post, startContractWorld } from '../support/contract-world.ts';
import { answerProblems } from '../support/openapi-validator.ts';
import { until } from '../support/rpc-pools.ts';
import { httpStatus, startScriptedRpc } from '../support/scripted-rpc.ts';
import { startTestApp } from '../support/test-app.ts';

let world: ContractWorld;
let letGo: () => void = () => {};
beforeAll(async () => {
  world = await startContractWorld({ REQUEST_TIMEOUT_MS: '1000', RPC_TIMEOUT_MS: '60000' });
});
afterEach(() => letGo());
afterAll(() => world?.stop());

const cases = () =>
  OPERATIONS.map(({ method, path, example }) => ({
    method,
    path,
    body: example(world.ledger.addresses).body ?? {},
  }));

describe('failures of ours and upstream', () => {
  it('a gateway that is starting says when to come back', async () => {
    const rpc = await startScriptedRpc(httpStatus(503));
    const gateway = await startTestApp({ rpcUrls: [rpc.url] });
    try {
      for (const { method, path, body } of cases()) {
        const answer = await post(gateway, path, body, { method: method.toUpperCase() });
        expect(answer.status).toBe(500);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(answerProblems(method, path, 500, answer.body)).toEqual([]);
        expect(misfits(BUILDER_ERROR, answer.body)).toEqual([]);
        expect(answer.body).toMatchObject({
          statusCode: 500,
          error: 'Internal Server Error',
          code: 'VIEW_NOT_READY',
        });
      }
    } finally {
      await gateway.stop();
      await rpc.stop();
    }
  });

  it('a slow RPC runs into the deadline of the request', async () => {
    letGo = world.proxy.hold(({ method }) => method === 'getMultipleAccounts');
    const before = world.proxy.abandoned();
    const [{ path, body } = { path: '', body: {} }] = cases();
    const answer = await world.post(path, body);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(answer.headers.get('x-view')).toMatch(/^\d+$/);
    await until(() => world.proxy.abandoned() === before + 1);
  });

  it('a client that goes away takes its reads with it', async () => {
    letGo = world.proxy.hold(({ method }) => method === 'getMultipleAccounts');
    const before = world.proxy.abandoned();
    const client = new AbortController();
    const [{ path, body } = { path: '', body: {} }] = cases();
    const gone = world.post(path, body, { signal: client.signal });
    gone.catch(() => undefined);
    await until(() => world.proxy.held() === 1);
    client.abort();
    await until(() => world.proxy.abandoned() === before + 1);
  });
});
