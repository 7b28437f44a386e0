import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { KINDS } from '../../src/chain/view/kinds.ts';
import { StreamWorld } from '../support/geyser/stream-world.ts';

const TOKEN = 'a secret/token';

let world: StreamWorld;

beforeAll(async () => {
  world = await StreamWorld.start({ stallMs: 600_000 }, TOKEN);
});

afterAll(async () => {
  await world?.stop();
});

describe('a gateway on a stream', () => {
  it('has what a polling gateway and the chain have', async () => {
    for (let i = 0; i < 3; i += 1) expect(await world.differences()).toEqual([]);
  });

  it('makes Views of what it is sent, without an RPC call', async () => {
    const { requests } = world.localnet.rpc;
    await world.polling.stop();
    requests.reset();
    const { views } = world.streaming.app.chain;
    const first = views.current().moment;
    for (let i = 0; i < 5; i += 1) {
      const before = views.current().moment.slot;
      world.move();
      await until(() => views.current().moment.slot > before);
    }
    expect(views.current().moment.slot).toBeGreaterThan(first.slot);
    // The pool asks for the clock, because this world moves faster than time.
    const read = KINDS.flatMap((kind) => [...views.current().all(kind).keys()]);
    expect(read.filter((address) => requests.requestsFor(address) > 0)).toEqual([]);
    expect(requests.calls('getProgramAccounts')).toBe(0);
  });

  it('says so, without the token', async () => {
    const ready = await (await world.streaming.get('/ready')).text();
    expect(JSON.parse(ready)).toMatchObject({
      status: 'ready',
      stream: { status: 'streaming', endpoint: 'geyser-1', reloads: 0, lastFault: null },
    });
    const metrics = await (await world.streaming.get('/metrics')).text();
    expect(metrics).toContain('sluice_stream_status{status="streaming"} 1');
    for (const text of [ready, metrics]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(encodeURIComponent(TOKEN));
    }
  });
});
