import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { median } from '../../domain/arithmetic.ts';
import { type EpochSchedule, epochAt } from '../../domain/epochs.ts';
import type { Database } from '../../store/sql.ts';
import type { Platform } from '../platform/platform.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import { type EpochYield, epochYieldsOf, YIELD_EPOCHS } from './staking-yields.ts';

/** Yield of a liquid-staking token as known at a time in the past, from the ten epochs before. */
export interface StakingThen {
  /** The newest of the epochs whose yield is known. */
  readonly latest: EpochYield;
  readonly medianApy: Rational;
}

/** Null when no yield of the ten epochs before the slot is known, so also for any other token. */
export type StakingPast = (slot: bigint) => StakingThen | null;

/** The slots that are asked about, both inclusive. */
interface PastQuery {
  readonly mint: Address;
  readonly firstSlot: bigint;
  readonly lastSlot: bigint;
}

const loaderOf = perSession(
  (session, db: Database, schedule: EpochSchedule) =>
    new DataLoader<PastQuery, StakingPast>((asks) => readPasts(session, db, schedule, asks), {
      cache: false,
    }),
);

/**
 * The yields of a token for the points of a history, ascending. The reads of one tick are one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function stakingPast(
  platform: Platform,
  session: Session,
  mint: Address,
  points: readonly { readonly slot: bigint }[],
): Promise<StakingPast> {
  const db = platform.historyFor(session, 'The staking yield', 'recorded');
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return () => null;
  const schedule = await platform.epochSchedule(session.signal);
  return await loaderOf(session, db, schedule).load({ mint, firstSlot: first.slot, lastSlot: last.slot });
}

async function readPasts(
  session: Session,
  db: Database,
  schedule: EpochSchedule,
  asks: readonly PastQuery[],
): Promise<StakingPast[]> {
  const epochs = asks.map(({ firstSlot, lastSlot }) => ({
    first: epochAt(schedule, firstSlot) - YIELD_EPOCHS,
    end: epochAt(schedule, lastSlot),
  }));
  const first = epochs.map((each) => each.first).reduce((a, b) => (a < b ? a : b));
  const end = epochs.map((each) => each.end).reduce((a, b) => (a > b ? a : b));
  const mints = [...new Set(asks.map(({ mint }) => mint))];
  const yields = await epochYieldsOf(db, schedule, session.view, mints, {
    first: first > 0n ? first : 0n,
    end,
  });
  const pause = session.work.step([...yields.values()].reduce((sum, { length }) => sum + length, 0));
  if (pause !== null) await pause;
  return asks.map(({ mint }) => pastOf(schedule, yields.get(mint) ?? []));
}

function pastOf(schedule: EpochSchedule, yields: readonly EpochYield[]): StakingPast {
  const known = new Map<bigint, StakingThen | null>();
  return (slot) => {
    const epoch = epochAt(schedule, slot);
    const before = known.get(epoch);
    if (before !== undefined) return before;
    const then = thenOf(yields.filter((each) => each.epoch < epoch && each.epoch >= epoch - YIELD_EPOCHS));
    known.set(epoch, then);
    return then;
  };
}

function thenOf(yields: readonly EpochYield[]): StakingThen | null {
  const latest = yields.at(-1);
  const medianApy = median(yields.map(({ apy }) => apy));
  return latest === undefined || medianApy === null
    ? null
    : { latest, medianApy: roundToPublished(medianApy) };
}
