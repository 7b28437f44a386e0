import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  liquidStakingMints,
  type StakingYield,
  stakingYieldOf,
  stakingYields,
} from '../../src/services/history/staking-yields.ts';
import { DAY, HOUR } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, priceSample, snapshot } from '../support/history/samples.ts';

const SLOTS_PER_EPOCH = 432_000n;
const SLOT_MS = 400;
const DAY_MS = 86_400_000;
const EPOCHS_PER_YEAR = 365 / 2;

let world: HistoryWorld;
let mints: readonly Address[];
beforeAll(async () => {
  world = await startHistoryWorld();
  mints = liquidStakingMints(world.view);
});
afterAll(() => world?.stop());

/** Records rates by epochs before the View's one, each sampled some slots before the epoch ends. */
async function record(mint: Address, rates: ReadonlyMap<number, string>, step: 3600 | 86_400 = HOUR) {
  const { slot, timestamp } = world.view.moment;
  const current = slot / SLOTS_PER_EPOCH;
  const snapshots = [...rates].map(([ago, rate]) => {
    const sampled = (current - BigInt(ago) + 1n) * SLOTS_PER_EPOCH - 10_000n;
    const at = new Date(Number(timestamp) * 1_000 - Number(slot - sampled) * SLOT_MS);
    return snapshot(at, { slot: sampled, prices: [priceSample('', { mint, stakeRateSol: d(rate) })] });
  });
  await writeHistory(world.history.db, world.history.fence, step, snapshots);
}

const session = () =>
  world.platform.openSession({ view: world.view.moment.id, signal: AbortSignal.timeout(20_000) });
const number = (value: { toNumber(): number }) => value.toNumber();

describe('yields of liquid-staking tokens', () => {
  let yields: ReadonlyMap<Address, StakingYield>;
  const growth = [
    1.0002, 1.0005, 1.0003, 1.0009, 1.0001, 1.0004, 1.0006, 1.0008, 1.0007, 1.001, 1.002, 1.003,
  ];

  beforeAll(async () => {
    const [first, second, third] = mints;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few tokens');
    // Twelve epochs of growth before the current one, the oldest first.
    let rate = 1.05;
    const rates = new Map([[13, rate.toFixed(12)]]);
    growth.toReversed().forEach((each, i) => {
      rate *= each;
      rates.set(12 - i, rate.toFixed(12));
    });
    await record(first, new Map([...rates, [0, '9']]));
    await record(
      second,
      new Map([
        [2, '1'],
        [1, '1.0004'],
      ]),
      DAY,
    );
    await record(
      third,
      new Map([
        [3, '1'],
        [1, '1.0004'],
      ]),
    );
    yields = await stakingYields(world.platform, await session());
  });

  it('are the growth of the last ten completed epochs, per year', () => {
    const found = yields.get(mints[0] as Address);
    // The epoch before the current one has the first growth of the list.
    const apys = growth.slice(0, 10).map((each) => each ** EPOCHS_PER_YEAR - 1);
    const sorted = apys.toSorted((a, b) => a - b);
    expect(found?.epochs.map(({ apy }) => number(apy).toFixed(8))).toEqual(
      apys.toReversed().map((apy) => apy.toFixed(8)),
    );
    expect(number(found?.latest.apr ?? d('0'))).toBeCloseTo(0.0002 * EPOCHS_PER_YEAR, 8);
    expect(found?.latest.epoch).toBe(world.view.moment.slot / SLOTS_PER_EPOCH - 1n);
    expect(number(found?.medianApy ?? d('0'))).toBeCloseTo(((sorted[4] ?? 0) + (sorted[5] ?? 0)) / 2, 8);
    expect(number(found?.meanApy ?? d('0'))).toBeCloseTo(apys.reduce((a, b) => a + b) / 10, 8);
  });

  it('come from days where hours have expired', () => {
    const found = yields.get(mints[1] as Address);
    expect(found?.epochs).toHaveLength(1);
    expect(number(found?.medianApy ?? d('0'))).toBeCloseTo(1.0004 ** EPOCHS_PER_YEAR - 1, 8);
    expect(found?.meanApy).toEqual(found?.medianApy);
    const age = world.now.getTime() - (found?.latest.sampledAt.getTime() ?? 0);
    expect(age).toBeLessThan(2 * DAY_MS + 10_000 * SLOT_MS);
  });

  it('are unknown without rates of two epochs that follow each other', () => {
    expect(yields.has(mints[2] as Address)).toBe(false);
    expect([...yields.keys()]).toEqual(mints.slice(0, 2));
  });

  it('are read once a minute for all requests', async () => {
    world.statements.length = 0;
    await world.nextView();
    expect(await stakingYields(world.platform, await session())).toBe(yields);
    expect(world.statements).toEqual([]);
  });

  it('exist for liquid-staking tokens only', async () => {
    const opened = await session();
    const usdc = [...opened.view.all('mint').keys()].find((mint) => !mints.includes(mint)) as Address;
    expect(await stakingYieldOf(world.platform, opened, usdc)).toBeNull();
    expect(await stakingYieldOf(world.platform, opened, mints[0] as Address)).toBe(
      yields.get(mints[0] as Address),
    );
  });
});
