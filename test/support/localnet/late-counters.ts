import { reserve } from '@sluice/protocol/klend/reserve';

/**
 * The account without a reserve's counters of debts by elevation group. The refresh of an obligation adds interest to them, and
 * a View that reads the moving part of a reserve has them when it next reads the whole.
 */
export function withoutLateCounters(kind: string, data: Uint8Array): Uint8Array {
  if (kind !== 'reserve') return data;
  const from = reserve.offsetOf('borrowedAmountOutsideElevationGroup');
  return Uint8Array.from(data).fill(0, from, reserve.offsetOf('withdrawQueue'));
}
