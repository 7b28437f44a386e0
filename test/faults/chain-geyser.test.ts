import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { KINDS } from '../../src/chain/view/kinds.ts';
import { readOwners } from '../../src/ingest/chain-source.ts';
import { StreamWorld } from '../support/geyser/stream-world.ts';

const ABSENT = testAddress(77);
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

  it('gives ingestion the owners of loans, and reads those that the View does not have', async () => {
    const { localnet, streaming } = world;
    const loans = world.loansOnChain().slice(0, 20);
    const { requests } = localnet.rpc;
    const owners = async (addresses: readonly Address[]) =>
      new Map(await readOwners(streaming.app.chain, addresses, new AbortController().signal));
    requests.reset();
    const found = await owners([...loans.map(([address]) => address), ABSENT]);
    expect(found).toEqual(new Map(loans));
    expect(loans.filter(([address]) => requests.requestsFor(address) > 0)).toEqual([]);
    expect(requests.requestsFor(ABSENT)).toBe(1);
  });

  it('says so, without the token', async () => {
    const ready = await (await world.streaming.get('/ready')).text();
    expect(JSON.parse(ready)).toMatchObject({
      status: 'ready',
      stream: { status: 'streaming', endpoint: 'geyser-1', reloads: 0, lastFault: null },
    });
    const metrics = await (await world.streaming.get('/metrics')).text();
    const loans = world.loansOnChain().length;
    expect(JSON.parse(ready).positions.kinds).toContainEqual({
      kind: 'obligation',
      accounts: loans,
      unreadable: 0,
    });
    expect(JSON.parse(ready).positions.memoryBytes).toBeGreaterThan(1_000);
    expect(metrics).toContain(`sluice_positions_accounts{kind="obligation"} ${loans}\n`);
    expect(metrics).toContain('sluice_positions_unreadable{kind="obligation"} 0\n');
    expect(metrics).toMatch(/^sluice_positions_memory_bytes [1-9]\d{3,}$/m);
    expect(metrics).toContain('sluice_stream_status{status="streaming"} 1');
    for (const text of [ready, metrics]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(encodeURIComponent(TOKEN));
    }
  });
});
