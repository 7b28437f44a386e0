import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { mean, median } from '../../domain/arithmetic.ts';
import { type EpochSchedule, epochAt, firstSlotOf } from '../../domain/epochs.ts';
import { type EpochYield, epochYields } from '../../domain/staking-yield.ts';
import { type SlotSpan, stakeRatesByEpoch } from '../../store/history/stake-rates.ts';
import { MINUTE, type TimeSpan } from '../../store/history/time-buckets.ts';
import type { Database, Sql } from '../../store/sql.ts';
import type { Platform } from '../platform/platform.ts';
import { viewCache } from '../request/per-view.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';
import { stakeRateSol } from '../tokens/tokens.ts';

export type { EpochYield } from '../../domain/staking-yield.ts';

/** Mean and median are over this many completed epochs, or as many of them as are known. */
export const YIELD_EPOCHS = 10n;

/** Yield of holding a liquid-staking token, from its recorded stake rate. Rounded for publication. */
export interface StakingYield {
  readonly mint: Address;
  /** The newest completed epoch whose yield is known. */
  readonly latest: EpochYield;
  /** Median of the APYs of `epochs`. */
  readonly medianApy: Rational;
  readonly meanApy: Rational;
  /** Ascending; at most `YIELD_EPOCHS`, without those whose rate was not recorded. */
  readonly epochs: readonly EpochYield[];
}

export type StakingYields = ReadonlyMap<Address, StakingYield>;

const liquidStaking = viewCache<readonly Address[]>();

/** The liquid-staking tokens of the platform, by address. */
export function liquidStakingMints(view: View): readonly Address[] {
  const known = liquidStaking.get(view);
  if (known !== undefined) return known;
  const mints = [...view.all('mint').keys()].filter((mint) => stakeRateSol(view, mint) !== null).sort();
  liquidStaking.set(view, mints);
  return mints;
}

/**
 * The yield of one token. Null for a token that is not a liquid-staking token, and until its rate has been recorded in two
 * consecutive epochs.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function stakingYieldOf(
  platform: Platform,
  session: Session,
  mint: Address,
): Promise<StakingYield | null> {
  if (stakeRateSol(session.view, mint) === null) return null;
  return (await stakingYields(platform, session)).get(mint) ?? null;
}

const ofView = viewCache<StakingYields>();

/** Last result per database: it changes when another minute has been recorded. */
const computed = new WeakMap<
  Database,
  { readonly key: string; readonly yields: ReturnType<typeof computeYields> }
>();

/**
 * Yields of all liquid-staking tokens, ordered by mint; tokens without a known yield are absent. Computed once a minute
 * for all requests, and the same for all answers on a View.
 *
 * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function stakingYields(platform: Platform, session: Session): Promise<StakingYields> {
  session.dependsOn('factOfView');
  const { view, work } = session;
  work.record('rows', 1);
  const db = platform.sharedHistory('The staking yield');
  const known = ofView.get(view);
  if (known !== undefined) return known;
  const yields = await yieldsOfMinute(db, platform, session);
  // Another request on the View may have ended first. Both are answered alike.
  const first = ofView.get(view) ?? yields;
  ofView.set(view, first);
  return first;
}

async function yieldsOfMinute(
  db: Database,
  platform: Platform,
  { view, signal }: Session,
): Promise<StakingYields> {
  const schedule = await platform.epochSchedule(signal);
  const mints = liquidStakingMints(view);
  const minute = Math.floor(viewTime(view).getTime() / (MINUTE * 1_000));
  const key = `${minute} ${epochAt(schedule, view.moment.slot)} ${mints.join()}`;
  const known = computed.get(db);
  if (known?.key === key) return await known.yields;
  const yields = computeYields(db, schedule, view, mints);
  computed.set(db, { key, yields });
  try {
    return await yields;
  } catch (error) {
    if (computed.get(db)?.yields === yields) computed.delete(db);
    throw error;
  }
}

async function computeYields(
  db: Sql,
  schedule: EpochSchedule,
  view: View,
  mints: readonly Address[],
): Promise<StakingYields> {
  const current = epochAt(schedule, view.moment.slot);
  const first = current > YIELD_EPOCHS ? current - YIELD_EPOCHS : 0n;
  const byMint = await epochYieldsOf(db, schedule, view, mints, { first, end: current });
  const known = [...byMint].map(([mint, epochs]) => summary(mint, epochs)).filter((each) => each !== null);
  return new Map(known.map((each) => [each.mint, each]));
}

function summary(mint: Address, epochs: readonly EpochYield[]): StakingYield | null {
  const latest = epochs.at(-1);
  const apys = epochs.map(({ apy }) => apy);
  const [medianApy, meanApy] = [median(apys), mean(apys)];
  if (latest === undefined || medianApy === null || meanApy === null) return null;
  return {
    mint,
    latest,
    medianApy: roundToPublished(medianApy),
    meanApy: roundToPublished(meanApy),
    epochs,
  };
}

/** Epochs from `first` up to but excluding `end`. */
interface EpochSpan {
  readonly first: bigint;
  readonly end: bigint;
}

/**
 * The known yields of the epochs of a span, ascending, by mint. One statement, however many
 * mints.
 */
export async function epochYieldsOf(
  sql: Sql,
  schedule: EpochSchedule,
  view: View,
  mints: readonly Address[],
  { first, end }: EpochSpan,
): Promise<ReadonlyMap<Address, readonly EpochYield[]>> {
  // The growth of an epoch begins at the end of the one before.
  const slots = {
    first: firstSlotOf(schedule, first > 0n ? first - 1n : 0n),
    end: firstSlotOf(schedule, end),
  };
  const rates = await stakeRatesByEpoch(sql, schedule, mints, slots, timeOf(view, slots));
  return new Map(
    [...rates].map(([mint, ofEpochs]) => [mint, epochYields(schedule, ofEpochs).map(published)]),
  );
}

const published = ({ apr, apy, ...rest }: EpochYield): EpochYield => ({
  ...rest,
  apr: roundToPublished(apr),
  apy: roundToPublished(apy),
});

/** Slots were between two thirds and one and a half times as long as now on average. */
const MAX_SLOT_CHANGE = 1.5;

/** A span that certainly contains the slots. */
function timeOf({ moment }: View, { first, end }: SlotSpan): TimeSpan {
  const now = Number(moment.timestamp) * 1_000;
  const slotMs = moment.slotDurationMs.toNumber();
  const msAgo = (slot: bigint) => Math.max(0, Number(moment.slot - slot) * slotMs);
  return {
    start: new Date(now - msAgo(first) * MAX_SLOT_CHANGE),
    end: new Date(now - msAgo(end) / MAX_SLOT_CHANGE),
  };
}
