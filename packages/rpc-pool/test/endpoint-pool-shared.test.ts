import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { stringifyExactJson } from '../src/transport/exact-json.ts';
import { accountsAt } from './support/fake-rpc.ts';
import { answer, type Script } from './support/scripted-rpc.ts';
import { poolOver, serve, type TestPool } from './support/test-pools.ts';

const NEVER = new AbortController().signal;
const MILLION = 1_000_000n;

const down: Script = ({ response }) => void response.writeHead(503).end();

/** Endpoints whose clocks are at these slots; null: it does not answer. */
async function poolAt(slots: readonly (bigint | null)[]) {
  const states = slots.map((slot) => ({ slot, calls: 0 }));
  const servers = await Promise.all(
    states.map((state) =>
      serve((call) => {
        state.calls += 1;
        if (state.slot === null) return down(call);
        const [addresses] = call.params as [Address[]];
        answer(stringifyExactJson(accountsAt(state.slot, addresses, () => null)))(call);
      }),
    ),
  );
  const givenUp: bigint[] = [];
  const pool = poolOver(
    servers.map(({ url }) => url),
    { onGivenUp: (slot) => givenUp.push(slot) },
  );
  return { pool, states, givenUp };
}

/** Its time is that of the clock of the endpoints at that slot. */
const believes = (pool: TestPool, slot: bigint, timestamp = 0n) =>
  pool.believes({ slot, timestamp: timestamp + timeAt(slot) }, NEVER);
const timeAt = (slot: bigint) => {
  const page = accountsAt(slot, [CLOCK_SYSVAR], () => null) as { value: [{ data: [string] }] };
  return Buffer.from(page.value[0].data[0], 'base64').readBigInt64LE(32);
};

describe('a View of another gateway', () => {
  it('is compared with the endpoints when it is the first, and follows from elapsed time afterwards', async () => {
    const { pool, states } = await poolAt([1_000n]);
    expect(await believes(pool, 1_010n)).toBe(true);
    expect([states[0]?.calls, pool.isUnchecked]).toEqual([1, false]);
    pool.clock.nowMs += 2_000;
    expect(await believes(pool, 1_015n)).toBe(true);
    expect(states[0]?.calls).toBe(1);
  });

  it('is not believed when it is further ahead of the endpoints than they may lag', async () => {
    const { pool } = await poolAt([1_000n]);
    expect(await believes(pool, 1_000n + MILLION)).toBe(false);
    expect(await believes(pool, 1_010n, 100_000n)).toBe(false);
    expect(await believes(pool, 5_000n)).toBe(true);
  });

  it('is believed after a jump when half of the endpoints have made it', async () => {
    const { pool, states } = await poolAt([1_000n, 1_000n]);
    expect(await believes(pool, 1_000n)).toBe(true);
    expect(await believes(pool, 9_000n)).toBe(false);
    for (const state of states.slice(1)) state.slot = 9_000n;
    expect(await believes(pool, 9_000n)).toBe(true);
  });

  it('is believed when no endpoint answers and it is the first, and given up when they contradict', async () => {
    const { pool, states, givenUp } = await poolAt([null]);
    expect(await believes(pool, 1_000n + MILLION)).toBe(true);
    expect(pool.isUnchecked).toBe(true);
    expect(await believes(pool, 1_000n + 2n * MILLION)).toBe(false);
    for (const state of states) state.slot = 1_000n;
    pool.clock.nowMs += 60_000;
    await pool.rpc.getMultipleAccounts([CLOCK_SYSVAR], { encoding: 'base64' }).send();
    expect(pool.isUnchecked).toBe(false);
    await pool.review(NEVER);
    expect(givenUp).toEqual([1_000n]);
    expect(await believes(pool, 1_000n + MILLION)).toBe(false);
    expect(await believes(pool, 1_020n)).toBe(true);
  });

  it('is not given up at once because the endpoints lag', async () => {
    const { pool, states, givenUp } = await poolAt([1_000n]);
    expect(await believes(pool, 1_000n)).toBe(true);
    pool.clock.nowMs += 60_000;
    expect(await believes(pool, 1_150n)).toBe(true);
    expect(states[0]?.calls).toBe(1);
    await pool.review(NEVER);
    expect(givenUp).toEqual([]);
  });
});
