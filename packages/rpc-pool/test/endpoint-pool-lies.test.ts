import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { account, testAddress } from '../../localnet/test/support/chain/fake-chain.ts';
import { TRIAL_INTERVAL_MS } from '../src/transport/endpoint.ts';
import { stringifyExactJson } from '../src/transport/exact-json.ts';
import { LONE_CLAIM_MS } from '../src/trust/trusted-tip.ts';
import { accountsAt } from './support/fake-rpc.ts';
import { answer, rpcError, type Script } from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve, type TestPool, until } from './support/test-pools.ts';

const MILLION = 1_000_000n;
const [ONE, TWO] = [testAddress(1), testAddress(2)];

/** Answers of a node. Every address has an account unless it is missing. */
interface Node {
  slot: bigint;
  clockSlot?: bigint;
  missing: readonly Address[];
  minContextSlotIsChecked: boolean;
}

const node = (slot = 1_000n): Node => ({ slot, missing: [], minContextSlotIsChecked: true });

const speaking =
  (state: Node): Script =>
  (call) => {
    const { slot, missing, clockSlot = slot } = state;
    if (call.method === 'getSlot') return answer(String(slot))(call);
    const [addresses, config] = call.params as [Address[], { minContextSlot?: number }];
    if (state.minContextSlotIsChecked && (config.minContextSlot ?? 0) > slot) return rpcError(-32016)(call);
    const accountOf = (address: Address) =>
      missing.includes(address) ? null : account(Uint8Array.of(Number(slot % 200n)));
    const page = accountsAt(slot, addresses, accountOf, clockSlot) as { value: unknown[] };
    if (missing.includes(CLOCK_SYSVAR)) page.value.fill(null);
    answer(stringifyExactJson(page))(call);
  };

async function poolOf(states: readonly Node[], options = {}): Promise<TestPool> {
  const servers = await Promise.all(states.map((state) => serve(speaking(state))));
  return poolOver(
    servers.map(({ url }) => url),
    options,
  );
}

const read = (pool: TestPool, addresses: readonly Address[] = [ONE, TWO], minContextSlot = 0n) =>
  pool.rpc
    .getMultipleAccounts([CLOCK_SYSVAR, ...addresses, CLOCK_SYSVAR], { encoding: 'base64', minContextSlot })
    .send();
const distrusted = (pool: TestPool) => pool.status().map(({ distrust }) => distrust);

describe('three endpoints, one of which lies', () => {
  it.each([0, 1, 2])('ahead (%i): it is taken out, tried, and used again once it is honest', async (liar) => {
    const nodes = [node(), node(), node()];
    const pool = await poolOf(nodes);
    for (let i = 0; i < 6; i += 1) await read(pool);
    const lying = nodes[liar] ?? node();
    lying.slot += MILLION;
    // All at once, so that every endpoint is asked.
    for (const { context } of await Promise.all(Array.from({ length: 9 }, () => read(pool))))
      expect(context.slot).toBe(1_000n);
    expect(distrusted(pool)).toEqual(nodes.map((_, i) => (i === liar ? 'IMPLAUSIBLE_SLOT' : null)));
    expect(pool.status().map(({ healthy }) => healthy)).toEqual(nodes.map((_, i) => i !== liar));

    pool.clock.nowMs += TRIAL_INTERVAL_MS;
    await read(pool);
    await until(() => pool.status()[liar]?.inFlight === 0);
    expect(distrusted(pool)[liar]).toBe('IMPLAUSIBLE_SLOT');

    lying.slot -= MILLION;
    pool.clock.nowMs += TRIAL_INTERVAL_MS;
    await read(pool);
    await until(() => distrusted(pool)[liar] === null);
    expect(pool.status().map(({ healthy, slotLag }) => [healthy, slotLag])).toEqual(
      nodes.map(() => [true, 0n]),
    );
  });

  it.each([0, 1, 2])('ahead (%i) from the start: no answer of it is believed', async (liar) => {
    const nodes = [node(), node(), node()];
    const lying = nodes[liar] ?? node();
    lying.slot += MILLION;
    const pool = await poolOf(nodes);
    for (const { context } of await Promise.all(Array.from({ length: 9 }, () => read(pool))))
      expect(context.slot).toBe(1_000n);
    expect(distrusted(pool)[liar]).toBe('IMPLAUSIBLE_SLOT');
  });

  it('behind, in answers that were to be newer: another endpoint answers', async () => {
    const nodes = [node(), node(), node()];
    const pool = await poolOf(nodes);
    await read(pool);
    for (const each of nodes) Object.assign(each, { slot: 1_020n, minContextSlotIsChecked: false });
    const [first] = nodes;
    if (first !== undefined) first.slot = 990n;
    const reads = await Promise.all(Array.from({ length: 9 }, () => read(pool, [ONE], 1_010n)));
    expect(new Set(reads.map(({ context }) => context.slot))).toEqual(new Set([1_020n]));
  });

  it('in its clock: it contradicts itself', async () => {
    const nodes = [node(), node(), node()];
    const pool = await poolOf(nodes);
    await read(pool);
    const [first] = nodes;
    if (first !== undefined) first.clockSlot = MILLION;
    await Promise.all(Array.from({ length: 9 }, () => read(pool)));
    expect(distrusted(pool)).toEqual(['WRONG_CLOCK', null, null]);
  });

  it('about accounts: what existed a moment ago is not gone before another endpoint says so', async () => {
    const nodes = [node(), node(), node()];
    const pool = await poolOf(nodes);
    await read(pool);
    const [first, second, third] = nodes;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no nodes');
    first.missing = [TWO];
    for (const { value } of await Promise.all(Array.from({ length: 9 }, () => read(pool))))
      expect(value.map((each) => each === null)).toEqual([false, false, false, false]);
    expect(distrusted(pool)).toEqual(['WITHHELD_ACCOUNTS', null, null]);

    for (const each of nodes) each.missing = [TWO];
    const { value } = await read(pool);
    expect(value.map((each) => each === null)).toEqual([false, false, true, false]);
    expect(distrusted(pool).slice(1)).toEqual([null, null]);
  });
});

describe('the only endpoint', () => {
  it('is not believed when it jumps, and is when it insists', async () => {
    const only = node();
    const pool = await poolOf([only]);
    await read(pool);
    only.slot += MILLION;
    expect(await failureOf(read(pool))).toMatchObject({ code: 'RPC_BAD_RESPONSE' });
    for (let waited = 0; waited < LONE_CLAIM_MS; waited += TRIAL_INTERVAL_MS) {
      pool.clock.nowMs += TRIAL_INTERVAL_MS;
      await failureOf(read(pool));
      await until(() => pool.status()[0]?.inFlight === 0);
    }
    await until(() => distrusted(pool)[0] === null);
    expect((await read(pool)).context.slot).toBe(1_000n + MILLION);
  });

  it('is believed again as soon as the lie ends', async () => {
    const only = node();
    const pool = await poolOf([only]);
    await read(pool);
    only.slot += MILLION;
    await failureOf(read(pool));
    only.slot -= MILLION;
    pool.clock.nowMs += TRIAL_INTERVAL_MS;
    await failureOf(read(pool));
    await until(() => distrusted(pool)[0] === null);
    expect((await read(pool)).context.slot).toBe(1_000n);
  });

  it('may warp on a local cluster', async () => {
    const only = node();
    const pool = await poolOf([only], { allowsWarp: true });
    await read(pool);
    only.slot += MILLION;
    expect((await read(pool)).context.slot).toBe(1_000n + MILLION);
  });

  it('is believed when accounts are gone', async () => {
    const only = node();
    const pool = await poolOf([only]);
    await read(pool);
    only.missing = [ONE];
    const { value } = await read(pool);
    expect(value.map((each) => each === null)).toEqual([false, true, false, false]);
  });
});

describe('a slot that only one endpoint could claim', () => {
  it('is given up as soon as most of the others contradict', async () => {
    const givenUp: bigint[] = [];
    const pool = await poolThatGivesUp((slot) => givenUp.push(slot));
    while (givenUp.length === 0) await readLater(pool);
    expect(givenUp).toEqual([1_000n]);
    pool.clock.nowMs += 60_000;
    for (let i = 0; i < 6; i += 1) expect((await read(pool)).context.slot).toBe(1_000n);
  });

  it('is given up when the application fails to hear of it', async () => {
    let calls = 0;
    const pool = await poolThatGivesUp(() => {
      calls += 1;
      throw new Error('not ready');
    });
    while (calls === 0) await readLater(pool);
    pool.clock.nowMs += 60_000;
    expect((await read(pool)).context.slot).toBe(1_000n);
  });

  /** A pool that trusts a false slot, and whose other endpoints contradict it from now on. */
  async function poolThatGivesUp(onGivenUp: (slot: bigint) => void): Promise<TestPool> {
    const nodes = [node(1_000n + MILLION), node(), node()];
    const servers = await Promise.all(nodes.map((state) => serve(speaking(state))));
    const down: Script = ({ response }) => void response.writeHead(503).end();
    for (const server of servers.slice(1)) server.script = down;
    const pool = poolOver(
      servers.map(({ url }) => url),
      { onGivenUp, maxAttempts: 9 },
    );
    while ((await read(pool).catch(() => null)) === null);
    expect((await read(pool)).context.slot).toBe(1_000n + MILLION);
    servers.slice(1).forEach((server, i) => {
      server.script = speaking(nodes[i + 1] ?? node());
    });
    return pool;
  }

  async function readLater(pool: TestPool): Promise<void> {
    pool.clock.nowMs += 60_000;
    await read(pool).catch(() => null);
    await new Promise((resolve) => setImmediate(resolve));
  }
});
