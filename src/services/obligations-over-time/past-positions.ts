import type { Address } from '@solana/kit';
import { valueUsd } from '../../domain/arithmetic.ts';
import { borrowFactor, collateralTerms, elevationGroup, isInGroup } from '../../domain/elevation.ts';
import type { BorrowPosition, DepositPosition, Positions } from '../../domain/obligation.ts';
import type { FoldedBorrow, FoldedDeposit, FoldedObligation } from '../../domain/pnl/obligation-fold.ts';
import { roundToPublished } from '../../numeric/decimal.ts';
import { fromPercent } from '../../numeric/fraction.ts';
import type { Rational } from '../../numeric/rational.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { Selected } from '../../store/history/series.ts';
import { exactly } from '../history/reserve-history.ts';
import type { MarketRecord, ReserveRecord } from '../records.ts';

/** What values and limits of positions are made of. */
export const TERMS_FIELDS = ['config', 'priceUsd'] as const satisfies readonly (keyof ReservePoint)[];
type TermsPoint = Selected<ReservePoint, (typeof TERMS_FIELDS)[number]>;

/** What is known of the reserves at a moment. */
export type RecordedReserves = (reserve: Address) => TermsPoint | undefined;

/**
 * Under which terms positions counted. A reserve's own are recorded. Which elevation group an obligation was in is not,
 * nor are a group's terms: it is taken to have been in the one that it is in now, as that is defined now.
 */
export interface PastTerms {
  readonly market: MarketRecord;
  readonly group: number;
  /** As they are now, to tell which of them are in the group. */
  readonly reserves: (reserve: Address) => ReserveRecord | undefined;
}

/** The positions of the past, as `obligationPositions` gives those of the present. */
export function pastPositions(
  { deposits, borrows }: FoldedObligation,
  recorded: RecordedReserves,
  terms: PastTerms,
): Positions {
  return {
    elevationGroup: terms.group,
    deposits: deposits.map((deposit) => pastDeposit(deposit, recorded(deposit.reserve), terms)),
    borrows: borrows.map((borrow) => pastBorrow(borrow, recorded(borrow.reserve), terms)),
  };
}

function pastDeposit(
  { reserve, collateral, amount }: FoldedDeposit,
  point: TermsPoint | undefined,
  terms: PastTerms,
): DepositPosition {
  const group = groupReserve(reserve, terms);
  const own = point && {
    maxLtv: exactly(point.config.loanToValue),
    liquidationLtv: exactly(point.config.liquidationThreshold),
  };
  return {
    reserve,
    collateral,
    amount,
    priceUsd: point?.priceUsd ?? null,
    valueUsd: worthUsd(amount, point),
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
  const value = worthUsd(amount, point);
  return {
    reserve,
    amount,
    priceUsd: point?.priceUsd ?? null,
    valueUsd: value,
    borrowFactor: factor ?? null,
    factoredUsd: value && factor ? value.mul(factor) : null,
  };
}

/** The reserve, when the obligation's group has terms for it. */
function groupReserve(reserve: Address, { market, group, reserves }: PastTerms): ReserveRecord | undefined {
  const record = reserves(reserve);
  return record && isInGroup(record.value, group) && elevationGroup(market.value, group) !== null
    ? record
    : undefined;
}

function worthUsd(amount: Rational | null, point: TermsPoint | undefined): Rational | null {
  if (amount === null || !point?.priceUsd) return null;
  return roundToPublished(valueUsd(amount, point.config.decimals, point.priceUsd));
}
