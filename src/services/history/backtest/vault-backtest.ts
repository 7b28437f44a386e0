import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Platform } from '../../platform/platform.ts';
import type { VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import type { ResolvedRange } from '../../request/time-range.ts';
import type { Interval } from '../series.ts';
import {
  type ComparedPeriod,
  type Growth,
  growthOf,
  sharedTimes,
  type Unknown,
  type UnknownGrowth,
  unknownGrowth,
  type WeightsOutcome,
  weightsOutcome,
} from './outcome.ts';
import { type Recording, readRecording } from './recording.ts';
import {
  checkedBacktestRange,
  checkedWeights,
  currentWeights,
  type GivenBacktest,
  type VaultWeights,
} from './request.ts';

/** The growth of a share, as recorded. */
export interface RecordedShare {
  /** After the fees that were charged; null when unknown. */
  readonly growth: Growth | null;
  /** Tokens per share at the ends of the compared period; null when not recorded. */
  readonly tokensPerShareFrom: Rational | null;
  readonly tokensPerShareTo: Rational | null;
  readonly unknown: UnknownGrowth | null;
}

/** What a vault would have earned with other weights, and what it earned. */
export interface VaultBacktest {
  /** Ends of the compared period: times of samples. Null when nothing can be compared. */
  readonly from: Date | null;
  readonly to: Date | null;
  readonly interval: Interval;
  readonly given: WeightsOutcome;
  readonly current: WeightsOutcome;
  readonly recorded: RecordedShare;
}

/**
 * The growth of a vault over a past range if it had kept the given weights, next to that with its current ones and to that
 * of its shares, all between the same two samples. From recorded exchange rates of collateral alone: no rate is estimated.
 *
 * @throws BAD_REQUEST, KLEND_RESERVE_NOT_FOUND, WEIGHT_INVALID, NUMBER_OUT_OF_RANGE, HISTORY_DISABLED,
 *   HISTORY_STARTING, HISTORY_UNAVAILABLE
 */
export async function vaultBacktest(
  platform: Platform,
  session: Session,
  vault: VaultRecord,
  given: GivenBacktest,
): Promise<VaultBacktest> {
  const { view, work } = session;
  const range = checkedBacktestRange(view, given.range);
  const weights = checkedWeights(view, vault, given);
  const current = currentWeights(vault);
  const reserves = new Set([...weights.reserves, ...current.reserves].map(({ reserve }) => reserve));
  const recording = await readRecording(platform, session, vault.address, [...reserves], range);
  const times = comparedTimes(recording, weights, range);
  const period = 'unknown' in times ? null : { first: times[0] ?? 0, last: times.at(-1) ?? 0 };
  const timesOfCurrent =
    period === null ? unknownGrowth('NOTHING_COMPARED') : timesWithin(recording, current, period);
  return {
    from: period && new Date(period.first),
    to: period && new Date(period.last),
    interval: recording.interval,
    given: await weightsOutcome(work, recording, weights, vault.value, times),
    current: await weightsOutcome(work, recording, current, vault.value, timesOfCurrent),
    recorded: recordedShare(recording, period),
  };
}

const weightedIn = ({ reserves }: VaultWeights): readonly Address[] =>
  reserves.filter(({ weight }) => weight > 0n).map(({ reserve }) => reserve);

/**
 * Times at which all weighted reserves have a record, from the last one at or before the start of the range, or the first
 * one in it. Without weights, those of the vault.
 */
function comparedTimes(
  recording: Recording,
  weights: VaultWeights,
  { start }: ResolvedRange,
): readonly number[] | Unknown {
  const weighted = weightedIn(weights);
  const unrecorded = weighted.find((reserve) => recording.exchangeRates(reserve).values.size === 0);
  if (unrecorded !== undefined) return unknownGrowth('RESERVE_NOT_RECORDED', unrecorded);
  const times = sharedTimes(recording, weighted) ?? [...recording.sharePrices.values.keys()];
  const compared = times.slice(
    Math.max(
      times.findLastIndex((time) => time <= start.getTime()),
      0,
    ),
  );
  return compared.length < 2 ? unknownGrowth('TOO_FEW_RECORDS') : compared;
}

/** The same for other weights over a period that is given. */
function timesWithin(
  recording: Recording,
  weights: VaultWeights,
  { first, last }: ComparedPeriod,
): readonly number[] | Unknown {
  const weighted = weightedIn(weights);
  const lacking = weighted.find((reserve) => {
    const { values } = recording.exchangeRates(reserve);
    return !values.has(first) || !values.has(last);
  });
  if (lacking !== undefined) return unknownGrowth('NOT_RECORDED_THEN', lacking);
  const times = sharedTimes(recording, weighted) ?? [first, last];
  return times.filter((time) => time >= first && time <= last);
}

function recordedShare({ sharePrices }: Recording, period: ComparedPeriod | null): RecordedShare {
  const from = (period && sharePrices.values.get(period.first)) ?? null;
  const to = (period && sharePrices.values.get(period.last)) ?? null;
  const prices = { tokensPerShareFrom: from, tokensPerShareTo: to };
  const unknown = (reason: UnknownGrowth) => ({ growth: null, ...prices, unknown: reason });
  if (period === null) return unknown('NOTHING_COMPARED');
  if (from === null || to === null) return unknown('NOT_RECORDED_THEN');
  if (from.isZero || to.isZero) return unknown('NO_SHARES');
  return { growth: growthOf(to.div(from), period), ...prices, unknown: null };
}
