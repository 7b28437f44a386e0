import type { Address } from '@solana/kit';
import type { BorrowSize } from '../../domain/borrow-size.ts';
import type { AccruedReserve } from '../../domain/interest.ts';
import { debtAmount } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { collateralToLiquidity, liquidityToCollateral } from '../../domain/reserve.ts';
import { fromScaledFraction, toBigScaledFraction, toScaledFraction } from '../../numeric/fraction.ts';
import { atLeastZero } from '../../numeric/integer.ts';
import { integer, type Rational } from '../../numeric/rational.ts';
import {
  type Obligation,
  type ObligationCollateral,
  type ObligationLiquidity,
  obligation as obligationLayout,
} from '../../programs/klend/obligation.ts';
import type { Reserve } from '../../programs/klend/reserve.ts';
import { NO_ADDRESS, presentAddress } from '../../programs/program-ids.ts';
import { changed } from '../changed-account.ts';
import type { LendingState } from './accounts.ts';

/** The state after an action, with the program's rounding. Amounts are base units of liquidity. */
export interface LendingEffect {
  readonly reserve: Reserve;
  readonly obligation: Obligation;
  /** Paid or received by the wallet. */
  readonly moved: bigint;
  /** Part of the debt that a borrow adds. */
  readonly originationFee: bigint;
  /** Collateral tokens minted or redeemed, base units; 0 for a borrow or a repayment. */
  readonly collateral: bigint;
  /** Debt added or settled, base units in units of 2^-60; 0 for a deposit or a withdrawal. */
  readonly debtSf: bigint;
}

/** The obligation, or an empty one if it does not exist yet. */
export function presentObligation({ obligation, request }: LendingState): Obligation {
  if (obligation !== null) return obligation;
  const { klend } = request.programs;
  const fields = { lendingMarket: request.market, owner: request.wallet };
  return obligationLayout.decode({ owner: klend, data: obligationLayout.encode(fields) }, klend);
}

/** The reserve account after a refresh at the slot, with changes applied. */
export function refreshedAccount(
  { account, slot, ...accrued }: AccruedReserve,
  change: { available?: bigint; borrowed?: Rational; collateral?: bigint } = {},
): Reserve {
  const { liquidity, collateral, lastUpdate } = account;
  const borrowed = accrued.borrowed.add(change.borrowed ?? integer(0n));
  const value = toBigScaledFraction(accrued.cumulativeBorrowRate);
  return changed(account, {
    lastUpdate: changed(lastUpdate, { slot: slot > lastUpdate.slot ? slot : lastUpdate.slot }),
    liquidity: changed(liquidity, {
      totalAvailableAmount: atLeastZero(liquidity.totalAvailableAmount + (change.available ?? 0n)),
      borrowedAmountSf: atLeastZero(toScaledFraction(borrowed)),
      accumulatedProtocolFeesSf: toScaledFraction(accrued.protocolFees),
      pendingReferrerFeesSf: toScaledFraction(accrued.pendingReferrerFees),
      cumulativeBorrowRateBsf: changed(liquidity.cumulativeBorrowRateBsf, { value }),
    }),
    collateral: changed(collateral, {
      mintTotalSupply: atLeastZero(collateral.mintTotalSupply + (change.collateral ?? 0n)),
    }),
  });
}

/** Index of the position in a reserve, else of the first free slot, else one past the end. */
function slotOf(reserves: readonly Address[], reserve: Address): number {
  const known = reserves.indexOf(reserve);
  if (known >= 0) return known;
  const free = reserves.findIndex((each) => presentAddress(each) === null);
  return free >= 0 ? free : reserves.length;
}

/** @param change collateral tokens added, base units; negative where they leave. */
export function withDeposit(obligation: Obligation, reserve: Address, change: bigint): Obligation {
  const { deposits } = obligation;
  const index = slotOf(
    deposits.map((each) => each.depositReserve),
    reserve,
  );
  const before = deposits[index] ?? blank(deposits[0], { depositReserve: NO_ADDRESS, depositedAmount: 0n });
  const depositedAmount = atLeastZero(before.depositedAmount + change);
  const after: ObligationCollateral = changed(before, {
    depositReserve: depositedAmount === 0n ? NO_ADDRESS : reserve,
    depositedAmount,
  });
  return changed(obligation, { deposits: placed(deposits, index, after) });
}

/** @param amount debt afterwards, base units. */
export function withDebt(
  obligation: Obligation,
  reserve: Address,
  amount: Rational,
  rate: Rational,
): Obligation {
  const { borrows } = obligation;
  const index = slotOf(
    borrows.map((each) => each.borrowReserve),
    reserve,
  );
  const before = borrows[index] ?? blank(borrows[0], { borrowReserve: NO_ADDRESS, borrowedAmountSf: 0n });
  const borrowedAmountSf = atLeastZero(toScaledFraction(amount));
  const after: ObligationLiquidity = changed(before, {
    borrowReserve: borrowedAmountSf === 0n ? NO_ADDRESS : reserve,
    borrowedAmountSf,
    cumulativeBorrowRateBsf: changed(before.cumulativeBorrowRateBsf, { value: toBigScaledFraction(rate) }),
  });
  return changed(obligation, { borrows: placed(borrows, index, after) });
}

function blank<T extends object>(like: T | undefined, changes: Partial<T>): T {
  return changed(like ?? ({} as T), changes);
}

function placed<T>(items: readonly T[], index: number, item: T): T[] {
  const copy = [...items];
  copy[index] = item;
  return copy;
}

/** Mints a whole number of collateral base units and takes only their value, rounded up. */
export function depositEffect(accounts: LendingState, amount: bigint, slot: bigint): LendingEffect {
  const accrued = refreshReserve(accounts.reserve, slot, accounts.market.referralFeeBps);
  const minted = liquidityToCollateral(accrued, integer(amount)).floor();
  const taken = collateralToLiquidity(accrued, minted).ceil();
  return {
    reserve: refreshedAccount(accrued, { available: taken, collateral: minted }),
    obligation: withDeposit(presentObligation(accounts), accounts.request.reserve, minted),
    moved: taken,
    originationFee: 0n,
    collateral: minted,
    debtSf: 0n,
  };
}

/** The fee leaves the reserve with the amount received. */
export function borrowEffect(
  accounts: LendingState,
  { debtSf, fee, received }: BorrowSize,
  slot: bigint,
): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, slot, market.referralFeeBps);
  const obligation = presentObligation(accounts);
  const debt = fromScaledFraction(debtSf);
  const owed = debtIn(obligation, request.reserve, accrued).add(debt);
  return {
    reserve: refreshedAccount(accrued, { available: -debt.floor(), borrowed: debt }),
    obligation: withDebt(obligation, request.reserve, owed, accrued.cumulativeBorrowRate),
    moved: received,
    originationFee: fee,
    collateral: 0n,
    debtSf,
  };
}

/** Repays at most the debt; the wallet pays whole base units. */
export function repayEffect(accounts: LendingState, amount: bigint | 'all', slot: bigint): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, slot, market.referralFeeBps);
  const obligation = presentObligation(accounts);
  const owed = debtIn(obligation, request.reserve, accrued);
  const paid = amount === 'all' ? owed : owed.min(integer(amount));
  return {
    reserve: refreshedAccount(accrued, { available: paid.ceil(), borrowed: paid.neg() }),
    obligation: withDebt(obligation, request.reserve, owed.sub(paid), accrued.cumulativeBorrowRate),
    moved: paid.ceil(),
    originationFee: 0n,
    collateral: 0n,
    debtSf: toScaledFraction(paid),
  };
}

/** @param collateral collateral tokens to redeem, base units; capped at the deposit. */
export function withdrawEffect(accounts: LendingState, collateral: bigint, slot: bigint): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, slot, market.referralFeeBps);
  const obligation = presentObligation(accounts);
  const held =
    obligation.deposits.find((each) => each.depositReserve === request.reserve)?.depositedAmount ?? 0n;
  const redeemed = collateral < held ? collateral : held;
  const received = collateralToLiquidity(accrued, redeemed).floor();
  return {
    reserve: refreshedAccount(accrued, { available: -received, collateral: -redeemed }),
    obligation: withDeposit(obligation, request.reserve, -redeemed),
    moved: received,
    originationFee: 0n,
    collateral: redeemed,
    debtSf: 0n,
  };
}

/** The obligation's debt in a reserve, in steps of 2^-60 base units; 0 for none. */
export function debtIn(obligation: Obligation, reserve: Address, accrued: AccruedReserve): Rational {
  const debt = obligation.borrows.find((each) => each.borrowReserve === reserve);
  if (debt === undefined || presentAddress(reserve) === null) return integer(0n);
  return fromScaledFraction(toScaledFraction(debtAmount(debt, accrued)));
}
