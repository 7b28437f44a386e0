import { divideScaled, multiplyScaled } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { isBlocked, type Liquidation, liquidation } from './liquidation.ts';
import type { LiquidationState } from './liquidation-block.ts';

/** A liquidation of a pair of positions, with the value that it repays. */
export interface LargestLiquidation extends Liquidation {
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** USD of the settled debt, in units of 2^-60. */
  readonly repaidValueSf: bigint;
}

/**
 * The liquidation that settles the most value at once, over every pair of a debt and a deposit; the first one among
 * equals. Null when the program refuses all of them.
 */
export function largestLiquidation(
  state: Omit<LiquidationState, 'repayReserve' | 'withdrawReserve'>,
): LargestLiquidation | null {
  const { debts, deposits } = state.obligation;
  let largest: LargestLiquidation | null = null;
  for (const debt of debts) {
    for (const { reserve: withdrawReserve } of deposits) {
      const pair = { repayReserve: debt.reserve, withdrawReserve };
      const outcome = liquidation({ ...state, ...pair }, 'all');
      if (isBlocked(outcome)) continue;
      const repaidValueSf = multiplyScaled(debt.valueSf, divideScaled(outcome.settledSf, debt.amountSf));
      if (largest === null || repaidValueSf > largest.repaidValueSf) {
        largest = { ...outcome, ...pair, repaidValueSf };
      }
    }
  }
  return largest;
}
