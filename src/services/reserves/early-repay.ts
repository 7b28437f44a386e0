import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { toScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { View } from '../../chain/view/view.ts';
import { earlyRepayPenalty } from '../../domain/early-repay.ts';
import { debtAmount } from '../../domain/obligation.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { reserveAmount } from './reserves.ts';

/** The cost of repaying a debt in full at the View's moment, on top of the debt. Null when the reserve cannot be read. */
export function penaltyOfFullRepayment(view: View, debt: ObligationLiquidity): TokenAmount | null {
  const reserve = view.get('reserve', debt.borrowReserve);
  if (reserve === undefined) return null;
  const accrued = Valuation.of(view).accrued(reserve);
  const owedSf = toScaledFraction(debtAmount(debt, accrued));
  return reserveAmount(view, reserve, earlyRepayPenalty(accrued, debt, owedSf));
}
