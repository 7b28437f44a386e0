import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { DAY_SECONDS } from '../../domain/dates.ts';
import {
  type DebtEnd,
  debtEnds,
  endedDebtScaled,
  isLiquidatedWhole,
  rolloverFrom,
} from '../../domain/debt-end.ts';
import { debtEndInWords } from '../../domain/debt-end-words.ts';
import { activeBorrows, debtAmount } from '../../domain/obligation.ts';
import { valueScaled } from '../../domain/refreshed-obligation.ts';
import type { MarketRecord, ObligationRecord, ReserveRecord } from '../request/records.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

export type { DebtEndCause } from '../../domain/debt-end.ts';

/** The end of a debt as of the View's moment. */
export interface DebtEnding extends DebtEnd {
  readonly reserve: Address;
  readonly isOver: boolean;
  /** Days until the end; 0 once it is over. */
  readonly daysLeft: Rational;
  /** What one liquidation may settle now because the debt has ended. */
  readonly liquidatable: TokenAmount;
  /** Unix seconds; null when nobody may roll the debt over. */
  readonly rolloverFrom: bigint | null;
  readonly description: string;
}

/** The ends of a debt, the earlier one first. Empty without one, and when the market or the reserve cannot be read. */
export function endsOfDebt(view: View, marketAddress: Address, debt: ObligationLiquidity): DebtEnding[] {
  const market = view.get('market', marketAddress);
  const reserve = view.get('reserve', debt.borrowReserve);
  if (market === undefined || reserve === undefined) return [];
  const { timestamp } = view.moment;
  const { config } = reserve.value;
  return debtEnds(market.value, config, debt).map((end) => ({
    ...end,
    reserve: debt.borrowReserve,
    isOver: timestamp >= end.at,
    daysLeft: Rational.of(atLeastZero(end.at - timestamp), DAY_SECONDS),
    liquidatable: liquidatableNow(view, market, reserve, debt, end),
    rolloverFrom: end.cause === 'TERM' ? rolloverFrom(market.value, config, debt) : null,
    description: debtEndInWords(end, timestamp),
  }));
}

function liquidatableNow(
  view: View,
  market: MarketRecord,
  reserve: ReserveRecord,
  debt: ObligationLiquidity,
  end: DebtEnd,
): TokenAmount {
  const valuation = Valuation.of(view);
  const owedSf = toScaledFraction(debtAmount(debt, valuation.accrued(reserve)));
  const endedSf = endedDebtScaled(end, debt, owedSf, view.moment.timestamp);
  const price = valuation.priceOf(reserve.value);
  const isWhole =
    endedSf > 0n &&
    price !== null &&
    isLiquidatedWhole(market.value, valueScaled(reserve.value, owedSf, toScaledFraction(price.usd)));
  return reserveAmount(view, reserve, fromScaledFraction(isWhole ? owedSf : endedSf), 'up');
}

/** The ends of all debts of an obligation, the earliest first. */
export function endsOfDebts(view: View, { value }: ObligationRecord): DebtEnding[] {
  return activeBorrows(value)
    .flatMap((debt) => endsOfDebt(view, value.lendingMarket, debt))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
