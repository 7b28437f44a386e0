import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { realisedApy } from '../../../domain/apy.ts';
import { weightShare } from '../../../domain/vault.ts';
import type { FeeRates } from '../../../domain/vault-fees.ts';
import { weightedGrowth } from '../../../domain/weighted-growth.ts';
import type { Work } from '../../../node/work-budget.ts';
import type { TimeSpan } from '../../../store/history/time-buckets.ts';
import type { Recording } from './recording.ts';
import type { ReserveWeight, VaultWeights } from './request.ts';

/** Why a growth is unknown. */
export type UnknownGrowth =
  | 'RESERVE_NOT_RECORDED'
  | 'TOO_FEW_RECORDS'
  | 'NOT_RECORDED_THEN'
  | 'NOTHING_COMPARED'
  | 'NO_SHARES';

/** Growth of one token over the compared period. */
export interface Growth {
  /** Fraction of the token. */
  readonly growth: Rational;
  /** The same per year, compounded; null when nothing is left of the token. */
  readonly apy: Rational | null;
}

/** A part of the range in which a reserve has no record. */
export interface RecordGap extends TimeSpan {
  /** Whether it lies within the compared period: the rates on both sides tell its growth. */
  readonly bridged: boolean;
}

export interface ReserveOutcome extends ReserveWeight {
  /** Fraction of the vault. */
  readonly share: Rational;
  /** Of the reserve itself; null when it has no record at both ends of the compared period. */
  readonly own: Growth | null;
  /** Its part in the growth before fees; null when that is unknown. */
  readonly contribution: Rational | null;
  readonly recordedSince: Date | null;
  readonly gaps: readonly RecordGap[];
}

/** The growth of a vault with some weights. */
export interface WeightsOutcome {
  readonly unallocatedWeight: bigint;
  /** Fraction of the vault that stays idle. */
  readonly unallocatedShare: Rational;
  /** Null when unknown; so is `afterFees`. */
  readonly beforeFees: Growth | null;
  readonly afterFees: Growth | null;
  readonly reserves: readonly ReserveOutcome[];
  readonly unknown: UnknownGrowth | null;
  /** The first reserve that lacks a record, where that is why. */
  readonly unknownReserve: Address | null;
}

/** Times of samples between which growth is computed, in ascending milliseconds. */
export interface ComparedPeriod {
  readonly first: number;
  readonly last: number;
}

export type Unknown = Pick<WeightsOutcome, 'unknown' | 'unknownReserve'>;

export const unknownGrowth = (unknown: UnknownGrowth, unknownReserve: Address | null = null): Unknown => ({
  unknown,
  unknownReserve,
});

/** From the first rate to the last one. @param factor what one token became */
export function growthOf(factor: Rational, { first, last }: ComparedPeriod): Growth {
  const apy = realisedApy(ONE, factor, secondsOf(last) - secondsOf(first));
  return { growth: roundToPublished(factor.sub(ONE)), apy: apy && roundToPublished(apy) };
}

const secondsOf = (ms: number): bigint => BigInt(Math.floor(ms / 1_000));

/** Times at which each of the reserves has a record, ascending; null without reserves. */
export function sharedTimes(recording: Recording, reserves: readonly Address[]): readonly number[] | null {
  const [first, ...others] = reserves.map((reserve) => recording.exchangeRates(reserve).values);
  if (first === undefined) return null;
  return [...first.keys()].filter((time) => others.every((values) => values.has(time))).sort((a, b) => a - b);
}

/** @param times at which all weighted reserves have a record, from end to end of the compared period */
export async function weightsOutcome(
  work: Work,
  recording: Recording,
  weights: VaultWeights,
  fees: FeeRates,
  times: readonly number[] | Unknown,
): Promise<WeightsOutcome> {
  const all = weights.reserves.reduce((sum, { weight }) => sum + weight, weights.unallocated);
  const shares = weights.reserves.map((each) => ({ ...each, share: weightShare(each.weight, all) }));
  const idle = shares.reduce((left, { share }) => left.sub(share), ONE);
  const period = 'unknown' in times ? null : { first: times[0] ?? 0, last: times.at(-1) ?? 0 };
  const weighted = shares.filter(({ weight }) => weight > 0n);
  const grown =
    'unknown' in times
      ? null
      : await work.run(
          weightedGrowth(
            times.map(secondsOf),
            weighted.map(({ reserve, share }) => {
              const { values } = recording.exchangeRates(reserve);
              return { share, exchangeRates: times.map((time) => values.get(time) ?? ONE) };
            }),
            fees,
          ),
        );
  const contributions = new Map(
    weighted.map(({ reserve }, i) => [reserve, grown?.contributions[i] ?? null] as const),
  );
  const yearly = (growth: Rational | undefined) =>
    period && growth ? growthOf(ONE.add(growth), period) : null;
  return {
    unallocatedWeight: weights.unallocated,
    unallocatedShare: roundToPublished(idle),
    beforeFees: yearly(grown?.beforeFees),
    afterFees: yearly(grown?.afterFees),
    reserves: shares.map((each) => ({
      ...each,
      share: roundToPublished(each.share),
      own: period && ownGrowth(recording, each.reserve, period),
      contribution: contributions.get(each.reserve) ?? (grown === null ? null : ZERO),
      recordedSince: recording.exchangeRates(each.reserve).since,
      gaps: gapsOf(recording, each.reserve, period),
    })),
    ...('unknown' in times ? times : { unknown: null, unknownReserve: null }),
  };
}

function ownGrowth(recording: Recording, reserve: Address, period: ComparedPeriod): Growth | null {
  const { values } = recording.exchangeRates(reserve);
  const [first, last] = [values.get(period.first), values.get(period.last)];
  return first && last ? growthOf(first.div(last), period) : null;
}

function gapsOf(recording: Recording, reserve: Address, period: ComparedPeriod | null): RecordGap[] {
  return recording.exchangeRates(reserve).missing.map(({ start, end }) => ({
    start,
    end,
    bridged: period !== null && start.getTime() >= period.first && end.getTime() <= period.last,
  }));
}
