import { fromPercent } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { valueUsd } from '../../../domain/arithmetic.ts';
import { borrowFactor, collateralTerms, elevationGroup, isInGroup } from '../../../domain/elevation.ts';
import {
  type BorrowPosition,
  type DepositPosition,
  type Positions,
  withRoundedValues,
} from '../../../domain/obligation.ts';
import type { FoldedBorrow, FoldedDeposit, FoldedObligation } from '../../../domain/pnl/obligation-fold.ts';
import type { ReservePoint } from '../../../store/history/reserve-series.ts';
import type { Selected } from '../../../store/history/series.ts';
import type { MarketRecord, ReserveRecord } from '../../request/records.ts';
import { exactDecimal } from '../reserve-history.ts';

/** Recorded fields that determine the values and limits of positions. */
export const TERMS_FIELDS = ['config', 'priceUsd'] as const satisfies readonly (keyof ReservePoint)[];
type TermsPoint = Selected<ReservePoint, (typeof TERMS_FIELDS)[number]>;

/** Recorded reserves at a moment. */
export type RecordedReserves = (reserve: Address) => TermsPoint | undefined;

/**
 * Terms of past positions. A reserve's terms are recorded; elevation groups are not, so this assumes the obligation's
 * current group with its current terms.
 */
export interface PastTerms {
  readonly market: MarketRecord;
  readonly group: number;
  /** Current reserves, for their group membership. */
  readonly reserves: (reserve: Address) => ReserveRecord | undefined;
}

/** Past positions in the form of `obligationPositions`. */
export function pastPositions(
  { deposits, borrows }: FoldedObligation,
  recorded: RecordedReserves,
  terms: PastTerms,
): Positions {
  return withRoundedValues({
    elevationGroup: terms.group,
    deposits: deposits.map((deposit) => pastDeposit(deposit, recorded(deposit.reserve), terms)),
    borrows: borrows.map((borrow) => pastBorrow(borrow, recorded(borrow.reserve), terms)),
  });
}

function pastDeposit(
  { reserve, collateral, amount }: FoldedDeposit,
  point: TermsPoint | undefined,
  terms: PastTerms,
): DepositPosition {
  const group = groupReserve(reserve, terms);
  const own = point && {
    maxLtv: exactDecimal(point.config.loanToValue),
    liquidationLtv: exactDecimal(point.config.liquidationThreshold),
  };
  return {
    reserve,
    collateral,
    amount,
    priceUsd: point?.priceUsd ?? null,
    valueUsd: positionValueUsd(amount, point),
    ...(group
      ? collateralTerms(terms.market.value, group.value, terms.group)
      : (own ?? { maxLtv: null, liquidationLtv: null })),
  };
}

function pastBorrow(
  { reserve, amount }: FoldedBorrow,
  point: TermsPoint | undefined,
  terms: PastTerms,
): BorrowPosition {
  const group = groupReserve(reserve, terms);
  const factor = group
    ? borrowFactor(terms.market.value, group.value, terms.group)
    : point && fromPercent(point.config.borrowFactor);
  const value = positionValueUsd(amount, point);
  return {
    reserve,
    amount,
    priceUsd: point?.priceUsd ?? null,
    valueUsd: value,
    borrowFactor: factor ?? null,
    factoredUsd: value && factor ? value.mul(factor) : null,
  };
}

/** The reserve if the obligation's group has terms for it. */
function groupReserve(reserve: Address, { market, group, reserves }: PastTerms): ReserveRecord | undefined {
  const record = reserves(reserve);
  return record && isInGroup(record.value, group) && elevationGroup(market.value, group) !== null
    ? record
    : undefined;
}

function positionValueUsd(amount: Rational | null, point: TermsPoint | undefined): Rational | null {
  if (amount === null || !point?.priceUsd) return null;
  return valueUsd(amount, point.config.decimals, point.priceUsd);
}
