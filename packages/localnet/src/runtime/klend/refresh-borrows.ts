import { U128_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { borrowFactorSf } from './borrow-factor.ts';
import { isTermOver } from './debt-term.ts';
import { isGroupMember, recountOutsideGroups } from './elevation-group.ts';
import { addSf, ceilSf, mulSf, ONE_SF, roundSf, timesSf, wholeSf } from './fraction.ts';
import { PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { type RefreshTerms, settleReferrerFee } from './referrer-fees.ts';
import { refreshedReserve } from './refreshed-reserve.ts';
import { isObsolete } from './reserve-checks.ts';
import { marketValueSf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/** The debts of an obligation together. */
export interface RefreshedBorrows {
  readonly valueSf: bigint;
  readonly factoredValueSf: bigint;
  readonly highestFactorPct: bigint;
  readonly obsolete: number;
  /** The checks that the prices of all reserves passed. */
  readonly priceStatus: number;
  /** Base units; of one reserve when the obligation is in a group. */
  readonly owed: bigint;
}

/** Accrues and values every debt. `reserves` are in the order of the debts, one for each. */
export function refreshBorrows(
  obligation: ObligationState,
  terms: RefreshTerms,
  reserves: readonly InstructionAccount[],
  referrers: readonly InstructionAccount[],
): RefreshedBorrows {
  const { market, clock, group } = terms;
  const borrows = obligation.activeBorrows;
  const left = [...referrers];
  let [valueSf, factoredValueSf, highestFactorSf, owed] = [0n, 0n, ONE_SF, 0n];
  let [obsolete, priceStatus] = [0, PRICE_STATUS.all as number];
  for (const [i, borrow] of borrows.entries()) {
    const reserve = refreshedReserve(reserves[i], borrow.reserve, clock);
    const beforeSf = borrow.amountSf;
    accrue(borrow, reserve);
    const amount = ceilSf(borrow.amountSf);
    owed += amount;
    countDebt(borrow, reserve, terms, amount);
    if (isObsolete(reserve)) obsolete += 1;
    const debt = { beforeSf, nowSf: borrow.amountSf };
    settleReferrerFee(terms, obligation, reserve, debt, () => left.shift());
    borrow.valueSf = marketValueSf(reserve, borrow.amountSf);
    const factorSf = borrowFactorSf(reserve, group !== null);
    borrow.factoredValueSf = mulSf(borrow.valueSf, factorSf);
    valueSf = addSf(valueSf, borrow.valueSf);
    factoredValueSf = addSf(factoredValueSf, borrow.factoredValueSf);
    const counts = borrow.valueSf >= wholeSf(market.minValueSkipLiquidationBfChecks);
    if (counts && factorSf > highestFactorSf) highestFactorSf = factorSf;
    if (borrow.atExpiration === 0n && isTermOver(reserve, borrow, clock.unixTimestamp)) {
      borrow.atExpiration = amount;
    }
    obligation.hasDebt = true;
    priceStatus &= reserve.lastUpdate.priceStatus;
    reserve.save();
  }
  ensure(group === null || borrows.length <= 1, LENDING.inconsistentElevationGroup);
  const highestFactorPct = roundSf(timesSf(highestFactorSf, 100n));
  return { valueSf, factoredValueSf, highestFactorPct, obsolete, priceStatus, owed };
}

/** Multiplies the debt by the growth of the reserve's cumulative rate. */
function accrue(borrow: BorrowState, { cumulativeBorrowRate: rate }: ReserveState): void {
  ensure(rate >= borrow.cumulativeBorrowRate, LENDING.negativeInterestRate);
  if (rate === borrow.cumulativeBorrowRate) return;
  if (borrow.cumulativeBorrowRate === 0n) throw aborted();
  const amountSf = (borrow.amountSf * rate) / borrow.cumulativeBorrowRate;
  ensure(amountSf <= U128_MAX, LENDING.mathOverflow);
  borrow.amountSf = amountSf;
  borrow.cumulativeBorrowRate = rate;
}

function countDebt(
  borrow: BorrowState,
  reserve: ReserveState,
  { group }: RefreshTerms,
  amount: bigint,
): void {
  if (group === null) {
    recountOutsideGroups(reserve, borrow.outsideGroups, amount);
    borrow.outsideGroups = amount;
    return;
  }
  ensure(isGroupMember(reserve, group), LENDING.inconsistentElevationGroup);
  ensure(reserve.address === group.debtReserve, LENDING.elevationGroupHasAnotherDebtReserve);
}
