import type { Address } from '@solana/kit';
import { isBlocked, type Liquidation, type LiquidationState, liquidation } from '../liquidation.ts';

/** A liquidation with the two reserves that it moves. */
export interface PossibleLiquidation extends Liquidation {
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
}

/** The liquidation that settles the most value at once. Null when the program accepts none. */
export function largestLiquidation(
  state: Omit<LiquidationState, 'repayReserve' | 'withdrawReserve'>,
): PossibleLiquidation | null {
  let [found, most]: [PossibleLiquidation | null, bigint] = [null, 0n];
  for (const debt of state.obligation.debts) {
    for (const deposit of state.obligation.deposits) {
      const reserves = { repayReserve: debt.reserve, withdrawReserve: deposit.reserve };
      const outcome = liquidation({ ...state, ...reserves }, 'all');
      if (isBlocked(outcome) || debt.amountSf === 0n) continue;
      const valueSf = (debt.valueSf * outcome.settledSf) / debt.amountSf;
      if (found === null || valueSf > most) [found, most] = [{ ...outcome, ...reserves }, valueSf];
    }
  }
  return found;
}
