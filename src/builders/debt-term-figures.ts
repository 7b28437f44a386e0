import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../domain/accrued-reserve.ts';
import { type DebtEnd, debtEnds, rolloverFrom } from '../domain/debt-end.ts';
import { debtEndInWords } from '../domain/debt-end-words.ts';
import { hasFixedRate } from '../domain/debt-terms.ts';
import { earlyRepayPenalty } from '../domain/early-repay.ts';
import type { Moment } from '../domain/moment.ts';
import { debtAmount } from '../domain/obligation.ts';
import { borrowApr } from '../domain/rates.ts';
import type { PreviewAmount } from './preview.ts';

const DAY_SECONDS = 86_400n;

/** Terms of a debt that an action opens, adds to, or rolls over. Times are Unix seconds. */
export interface DebtTermFigures {
  /** Reserve of the debt after the action. */
  readonly reserve: Address;
  readonly hasFixedRate: boolean;
  /** Yearly rate after the action as a fraction, not compounded. */
  readonly borrowApr: Rational;
  /** The first end of the debt before the action; null for no debt, and for one that never ends. */
  readonly endedAt: bigint | null;
  /** The first end of the debt after the action; null for one that never ends. */
  readonly end: DebtEnd | null;
  readonly daysLeft: Rational | null;
  readonly description: string | null;
  /** Null when nobody may roll the debt over. */
  readonly rolloverFrom: bigint | null;
  /** On top of the debt, to repay all of it right after the action. */
  readonly penalty: PreviewAmount;
}

/** A debt with its reserve. */
export interface TermDebt {
  readonly reserve: AccruedReserve;
  readonly debt: ObligationLiquidity;
}

/** @param before null for a debt that the action opens */
export function debtTermFigures(
  market: LendingMarket,
  before: TermDebt | null,
  { reserve, debt }: TermDebt,
  moment: Moment,
): DebtTermFigures {
  const { config, liquidity } = reserve.account;
  const { timestamp } = moment;
  const end = firstEnd(market, { reserve, debt });
  const owedSf = toScaledFraction(debtAmount(debt, reserve));
  return {
    reserve: debt.borrowReserve,
    hasFixedRate: hasFixedRate(config),
    borrowApr: borrowApr(reserve, moment),
    endedAt: (before && firstEnd(market, before)?.at) ?? null,
    end,
    daysLeft: end && Rational.of(atLeastZero(end.at - timestamp), DAY_SECONDS),
    description: end && debtEndInWords(end, timestamp),
    rolloverFrom: rolloverFrom(market, config, debt),
    penalty: {
      mint: liquidity.mintPubkey,
      decimals: Number(liquidity.mintDecimals),
      amount: earlyRepayPenalty(reserve, debt, owedSf),
    },
  };
}

function firstEnd(market: LendingMarket, { reserve, debt }: TermDebt): DebtEnd | null {
  return debtEnds(market, reserve.account.config, debt)[0] ?? null;
}
