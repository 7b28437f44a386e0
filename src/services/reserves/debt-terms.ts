import type { Rational } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import {
  type DebtTermKind,
  debtTermKind,
  hasFixedRate,
  marketRolloverWindow,
  openTermRolloverWindow,
} from '../../domain/debt-terms.ts';
import { penaltyOfNewDebt } from '../../domain/early-repay.ts';
import type { ReserveRecord } from '../request/records.ts';
import { Valuation } from '../tokens/valuation.ts';

export type { DebtTermKind } from '../../domain/debt-terms.ts';

/** Terms of the debts to a reserve. Durations are in seconds. */
export interface ReserveTerms {
  readonly kind: DebtTermKind;
  readonly hasFixedRate: boolean;
  /** Null without a term. */
  readonly term: bigint | null;
  /** Unix seconds; null without a maturity. */
  readonly maturesAt: bigint | null;
  /** Fraction of the debt. */
  readonly penaltyOfNewDebt: Rational;
  /** Null when the market cannot be read. */
  readonly market: MarketTerms | null;
}

/** What the market decides about the ends of debts. Windows are null when switched off. */
export interface MarketTerms {
  readonly rolloverWindow: bigint | null;
  readonly openTermWindow: bigint | null;
  readonly opensToFixed: boolean;
  readonly liquidatesAfterTerm: boolean;
  readonly liquidatesAfterMaturity: boolean;
  /** Seconds after the end of a term until one liquidation may settle the whole debt. */
  readonly wholeAfter: bigint;
}

export function reserveTerms(view: View, reserve: ReserveRecord): ReserveTerms {
  const { config, lendingMarket } = reserve.value;
  const market = view.get('market', lendingMarket)?.value;
  return {
    kind: debtTermKind(config),
    hasFixedRate: hasFixedRate(config),
    term: config.debtTermSeconds || null,
    maturesAt: config.debtMaturityTimestamp || null,
    penaltyOfNewDebt: penaltyOfNewDebt(Valuation.of(view).accrued(reserve)),
    market:
      market === undefined
        ? null
        : {
            rolloverWindow: marketRolloverWindow(market),
            openTermWindow: openTermRolloverWindow(market),
            opensToFixed: market.obligationBorrowMigrationToFixedExecutionEnabled !== 0,
            liquidatesAfterTerm: market.obligationBorrowDebtTermLiquidationEnabled !== 0,
            liquidatesAfterMaturity: market.matureReserveDebtLiquidationEnabled !== 0,
            wholeAfter: market.termBasedFullLiquidationDurationSecs,
          },
  };
}
