import type { Address } from '@solana/kit';
import type { View } from '../../../chain/view/view.ts';
import { SluiceError } from '../../../errors/sluice-error.ts';
import type { VaultRecord } from '../../request/records.ts';
import { type RangeInput, type ResolvedRange, resolveRange, viewTime } from '../../request/time-range.ts';
import { reserveInView } from '../../reserves/reserves.ts';
import { usedAllocations } from '../../vaults/vaults.ts';
import { MAX_HOURLY_SECONDS, mostBuckets } from '../series.ts';

export interface ReserveWeight {
  readonly reserve: Address;
  readonly weight: bigint;
}

/** The weights of a vault. A reserve that is not named has none. */
export interface VaultWeights {
  readonly reserves: readonly ReserveWeight[];
  /** Weight of what stays idle. */
  readonly unallocated: bigint;
}

/** A backtest as the caller asks for it. */
export interface GivenBacktest {
  readonly weights: readonly ReserveWeight[];
  /** Defaults to the vault's. */
  readonly unallocatedWeight?: bigint | null | undefined;
  readonly range: RangeInput;
}

/** Bounds the work: a point of each reserve per day. */
export const MOST_DAYS = 1_096;
const DAY_MS = 86_400_000;

/** Longest range that is answered from hours. */
const MOST_HOURLY_MS = MAX_HOURLY_SECONDS * 1_000;

export const fitsHours = (rangeMs: number): boolean => rangeMs <= MOST_HOURLY_MS;

/** Most points of one series over a range of this length. */
export const backtestPoints = (rangeMs: number): number =>
  mostBuckets(rangeMs, fitsHours(rangeMs) ? 'HOUR' : 'DAY');

/** The weights that the vault has now. */
export function currentWeights({ value }: VaultRecord): VaultWeights {
  return {
    reserves: usedAllocations(value).map(({ reserve, targetAllocationWeight: weight }) => ({
      reserve,
      weight,
    })),
    unallocated: value.unallocatedWeight,
  };
}

/** @throws KLEND_RESERVE_NOT_FOUND, WEIGHT_INVALID, NUMBER_OUT_OF_RANGE */
export function checkedWeights(
  view: View,
  { address, value }: VaultRecord,
  { weights, unallocatedWeight }: GivenBacktest,
): VaultWeights {
  const most = value.vaultAllocationStrategy.length;
  if (weights.length > most) {
    const context = { what: 'Number of weights', value: String(weights.length), min: '0', max: String(most) };
    throw new SluiceError('NUMBER_OUT_OF_RANGE', context);
  }
  const named = new Set<Address>();
  for (const { reserve } of weights) {
    const { mintPubkey } = reserveInView(view, reserve).value.liquidity;
    const invalid = (reason: string) => new SluiceError('WEIGHT_INVALID', { reserve, reason });
    if (mintPubkey !== value.tokenMint)
      throw invalid(`cannot be set: it lends ${mintPubkey}, and vault ${address} holds ${value.tokenMint}`);
    if (named.has(reserve)) throw invalid('is given twice. Name each reserve once');
    named.add(reserve);
  }
  return { reserves: weights, unallocated: unallocatedWeight ?? value.unallocatedWeight };
}

const DEFAULT_DAYS = 30;

/** Without a start, the 30 days before the end. */
function filled(view: View, { start, end }: RangeInput): { readonly start: Date; readonly until: Date } {
  const now = viewTime(view);
  const until = end && end < now ? end : now;
  return { start: start ?? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS), until };
}

/** Why no backtest is made over a range, for error messages; null when one is. */
export function backtestRangeProblem(view: View, asked: RangeInput): string | null {
  const { start, until } = filled(view, asked);
  if (start >= until) {
    const end = asked.end?.getTime() === until.getTime() ? 'the end of the range' : 'now';
    return `${start.toISOString()} is not before ${end}, ${until.toISOString()}`;
  }
  return until.getTime() - start.getTime() > MOST_DAYS * DAY_MS
    ? `${start.toISOString()} is more than ${MOST_DAYS} days before ${until.toISOString()}`
    : null;
}

/** @throws BAD_REQUEST */
export function checkedBacktestRange(view: View, asked: RangeInput): ResolvedRange {
  const problem = backtestRangeProblem(view, asked);
  if (problem !== null) throw new SluiceError('BAD_REQUEST', { reason: `range.start: ${problem}.` });
  return resolveRange(view, { start: filled(view, asked).start, end: asked.end });
}
