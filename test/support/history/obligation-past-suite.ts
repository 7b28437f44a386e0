import { generateWorld, inspectAt } from '@sluice/localnet/world/generate-world';
import { slotAt } from '@sluice/localnet/world/time';
import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { fromBigScaledFraction, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pastSnapshots } from '../../../src/app/seed-history/past-snapshots.ts';
import { activeBorrows, activeDeposits } from '../../../src/domain/obligation.ts';
import {
  type ObligationHistory,
  obligationHistory,
} from '../../../src/services/history/obligations/history.ts';
import { timelineOf } from '../../../src/services/history/obligations/timeline.ts';
import { marketInView } from '../../../src/services/markets/markets.ts';
import { valueObligation } from '../../../src/services/obligations/obligations.ts';
import type { Snapshot } from '../../../src/store/history/samples.ts';
import { HOUR } from '../../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../../src/store/history/write-snapshot.ts';
import { type LendingWorld, startLendingWorld } from '../apps/lending-history-app.ts';

const HOUR_MS = 3_600_000;
const HOURS = 72;
/** Rates are recorded hourly and interpolated linearly, which is close to the true curve. */
const TOLERANCE = 1e-5;

function accountsOf({ store }: ReturnType<typeof generateWorld>['world'], addresses: readonly Address[]) {
  const accounts = new Map<Address, Obligation>();
  for (const address of addresses) {
    const account = store.get(address);
    if (account === undefined) continue;
    const { owner, data } = account;
    accounts.set(address, obligationLayout.decode({ owner, data: data.slice() }, MAINNET_PROGRAMS.klend));
  }
  return accounts;
}

const relativeError = (got: Rational, wanted: Rational) =>
  wanted.isZero ? got.toNumber() : Math.abs(got.sub(wanted).div(wanted).toNumber());

/** Compares the reconstructed past of every so many obligations with the accounts as they were. */
export function describeObligationPast(every: number): void {
  let world: LendingWorld;
  const snapshots: Snapshot[] = [];
  /** The compared obligations. */
  let chosen: readonly Address[];
  /** Their accounts at each moment. */
  const truths: ReadonlyMap<Address, Obligation>[] = [];

  beforeAll(async () => {
    world = await startLendingWorld();
    chosen = world.localChain.worldChain.world.obligations
      .filter(({ exists }) => exists)
      .map(({ address }) => address)
      .filter((_, i) => i % every === 0);
    const presentMs = world.localChain.worldChain.bootedAt;
    const moments = Array.from(
      { length: HOURS },
      (_, i) => presentMs - (HOURS - i) * HOUR_MS + HOUR_MS - 60_000,
    );
    const programs = MAINNET_PROGRAMS;
    snapshots.push(...pastSnapshots({ scale: 1, presentMs, moments, programs }));
    const generation = generateWorld({ now: () => presentMs }, moments.map(slotAt));
    for (const slot of generation.stops) {
      truths.push(inspectAt(generation.world, slot, () => accountsOf(generation.world, chosen)));
    }
    await writeHistory(world.history.db, world.history.fence, HOUR, snapshots);
    await world.ingestAll();
    await world.read(world.localChain.worldChain.world.obligations.map(({ address }) => address));
  });
  afterAll(() => world?.stop());

  async function historyOf(address: Address): Promise<ObligationHistory> {
    const session = await world.platform.openSession({ signal: AbortSignal.timeout(300_000) });
    const record = await session.load('obligation', address);
    const market = marketInView(session.view, record.value.lendingMarket);
    const timeline = await timelineOf(world.platform, session, record);
    const ask = { range: {}, resolution: { interval: null, maxPoints: null }, useStakeRate: false } as const;
    const history = await obligationHistory(world.platform, session, market, timeline, ask);
    // The last point equals the present state exactly.
    expect(history.points.at(-1)?.stats).toEqual(valueObligation(session, record).stats);
    return history;
  }

  it(`reconstructs one obligation in ${every} hour by hour`, async () => {
    expect([snapshots.length, truths.length]).toEqual([HOURS, HOURS]);
    let [compared, worst, changed] = [0, 0, 0];
    for (const address of chosen) {
      const { points, complete } = await historyOf(address);
      expect(complete, address).toBe(true);
      const shapes = new Set<string>();
      for (const point of points.slice(0, -1)) {
        const i = snapshots.findIndex(({ sampledAt }) => sampledAt.getTime() === point.sampledAt.getTime());
        const truth = truths[i]?.get(address);
        if (truth === undefined) continue;
        const [deposits, borrows] = [activeDeposits(truth), activeBorrows(truth)];
        const rates = (reserve: Address) => snapshots[i]?.reserves.find((each) => each.reserve === reserve);
        expect(new Set(point.deposits.map(({ reserve }) => reserve))).toEqual(
          new Set(deposits.map(({ depositReserve }) => depositReserve)),
        );
        expect(new Set(point.borrows.map(({ reserve }) => reserve))).toEqual(
          new Set(borrows.map(({ borrowReserve }) => borrowReserve)),
        );
        for (const { depositReserve, depositedAmount } of deposits) {
          const rate = rates(depositReserve)?.exchangeRate ?? integer(1);
          const got = point.deposits.find(({ reserve }) => reserve === depositReserve)?.amount.baseUnits;
          worst = Math.max(worst, relativeError(got ?? integer(0), integer(depositedAmount).div(rate)));
          shapes.add(`${depositReserve} ${depositedAmount}`);
        }
        for (const { borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf } of borrows) {
          const rate = rates(borrowReserve)?.cumulativeBorrowRate ?? integer(1);
          const then = fromBigScaledFraction(cumulativeBorrowRateBsf.value);
          const owed = fromScaledFraction(borrowedAmountSf).mul(rate).div(then);
          const got = point.borrows.find(({ reserve }) => reserve === borrowReserve)?.amount.baseUnits;
          worst = Math.max(worst, relativeError(got ?? integer(0), owed));
        }
        compared += 1;
      }
      if (shapes.size > 1) changed += 1;
    }
    expect(compared).toBeGreaterThan(3_000 / every);
    expect(changed).toBeGreaterThan(9 / every);
    expect(worst).toBeLessThan(TOLERANCE);
  });
}
