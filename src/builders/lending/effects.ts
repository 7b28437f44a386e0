import {
  type Obligation,
  type ObligationCollateral,
  type ObligationLiquidity,
  obligation as obligationLayout,
} from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { fromScaledFraction, toBigScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { NO_ADDRESS, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import type { BorrowSize } from '../../domain/borrow-size.ts';
import { owedAtTermEnd } from '../../domain/debt-end.ts';
import { debtTermEnd } from '../../domain/debt-terms.ts';
import { earlyRepayPenalty } from '../../domain/early-repay.ts';
import type { Instant } from '../../domain/moment.ts';
import { debtAmount } from '../../domain/obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { collateralToLiquidity, liquidityToCollateral } from '../../domain/reserve.ts';
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
  /** Part of what the wallet pays that settles no debt: the price of repaying before the end of the term. */
  readonly penalty: bigint;
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

/** The reserve account after a refresh, with changes applied. */
export function refreshedAccount(
  { account, at, ...accrued }: AccruedReserve,
  change: { available?: bigint; borrowed?: Rational; protocolFees?: bigint; collateral?: bigint } = {},
): Reserve {
  const { liquidity, collateral, lastUpdate } = account;
  const borrowed = accrued.borrowed.add(change.borrowed ?? integer(0n));
  const protocolFees = accrued.protocolFees.add(integer(change.protocolFees ?? 0n));
  const value = toBigScaledFraction(accrued.cumulativeBorrowRate);
  return changed(account, {
    lastUpdate: at.slot < lastUpdate.slot ? lastUpdate : changed(lastUpdate, refreshedAt(at)),
    liquidity: changed(liquidity, {
      totalAvailableAmount: atLeastZero(accrued.available + (change.available ?? 0n)),
      rewardsAmountAvailable: accrued.rewardsAvailable,
      borrowedAmountSf: atLeastZero(toScaledFraction(borrowed)),
      accumulatedProtocolFeesSf: toScaledFraction(protocolFees),
      pendingReferrerFeesSf: toScaledFraction(accrued.pendingReferrerFees),
      cumulativeBorrowRateBsf: changed(liquidity.cumulativeBorrowRateBsf, { value }),
    }),
    collateral: changed(collateral, {
      mintTotalSupply: atLeastZero(collateral.mintTotalSupply + (change.collateral ?? 0n)),
    }),
  });
}

/** The stamp of a refresh. */
export function refreshedAt({ slot, timestamp }: Instant): {
  readonly slot: bigint;
  readonly timestamp: number;
} {
  return { slot, timestamp: Number(timestamp) };
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
  term: Partial<Pick<ObligationLiquidity, 'borrowedAmountAtExpiration'>> = {},
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
    ...term,
  });
  return changed(obligation, { borrows: placed(borrows, index, after) });
}

/**
 * The obligation after a repayment, and after the refresh before it, which stores what was owed at the end of a term.
 *
 * @param settledSf base units in units of 2^-60
 */
export function settledDebt(
  obligation: Obligation,
  accrued: AccruedReserve,
  reserve: Address,
  settledSf: bigint,
  { timestamp }: Instant,
): Obligation {
  const owed = debtIn(obligation, reserve, accrued);
  const left = owed.sub(fromScaledFraction(settledSf));
  const debt = borrowIn(obligation, reserve);
  const end = debt === undefined ? null : debtTermEnd(accrued.account.config, debt);
  const isOver = debt !== undefined && end !== null && timestamp >= end;
  const term = isOver ? { borrowedAmountAtExpiration: owedAtTermEnd(debt, toScaledFraction(owed)) } : {};
  return withDebt(obligation, reserve, left, accrued.cumulativeBorrowRate, term);
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
export function depositEffect(accounts: LendingState, amount: bigint, at: Instant): LendingEffect {
  const accrued = refreshReserve(accounts.reserve, at, accounts.market);
  const minted = liquidityToCollateral(accrued, integer(amount)).floor();
  const taken = collateralToLiquidity(accrued, minted).ceil();
  return {
    reserve: refreshedAccount(accrued, { available: taken, collateral: minted }),
    obligation: withDeposit(presentObligation(accounts), accounts.request.reserve, minted),
    moved: taken,
    originationFee: 0n,
    penalty: 0n,
    collateral: minted,
    debtSf: 0n,
  };
}

/** The fee leaves the reserve with the amount received. */
export function borrowEffect(
  accounts: LendingState,
  { debtSf, fee, received }: BorrowSize,
  at: Instant,
): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, at, market);
  const obligation = presentObligation(accounts);
  const debt = fromScaledFraction(debtSf);
  const owed = debtIn(obligation, request.reserve, accrued).add(debt);
  return {
    reserve: refreshedAccount(accrued, { available: -debt.floor(), borrowed: debt }),
    obligation: withDebt(obligation, request.reserve, owed, accrued.cumulativeBorrowRate),
    moved: received,
    originationFee: fee,
    penalty: 0n,
    collateral: 0n,
    debtSf,
  };
}

/**
 * Repays at most the debt; the wallet pays whole base units, and the penalty of an early repayment on top. The penalty is
 * the protocol's, so it leaves the suppliers' assets as they are.
 */
export function repayEffect(accounts: LendingState, amount: bigint | 'all', at: Instant): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, at, market);
  const obligation = presentObligation(accounts);
  const owed = debtIn(obligation, request.reserve, accrued);
  const settled = amount === 'all' ? owed : owed.min(integer(amount));
  const debtSf = toScaledFraction(settled);
  const debt = borrowIn(obligation, request.reserve);
  const penalty = debt === undefined ? 0n : earlyRepayPenalty(accrued, debt, debtSf);
  const moved = settled.ceil() + penalty;
  return {
    reserve: refreshedAccount(accrued, {
      available: moved,
      borrowed: settled.neg(),
      protocolFees: penalty,
    }),
    obligation: settledDebt(obligation, accrued, request.reserve, debtSf, at),
    moved,
    originationFee: 0n,
    penalty,
    collateral: 0n,
    debtSf,
  };
}

/** @param collateral collateral tokens to redeem, base units; capped at the deposit. */
export function withdrawEffect(accounts: LendingState, collateral: bigint, at: Instant): LendingEffect {
  const { request, reserve, market } = accounts;
  const accrued = refreshReserve(reserve, at, market);
  const obligation = presentObligation(accounts);
  const held =
    obligation.deposits.find((each) => each.depositReserve === request.reserve)?.depositedAmount ?? 0n;
  const redeemed = lesser(collateral, held);
  const received = collateralToLiquidity(accrued, redeemed).floor();
  return {
    reserve: refreshedAccount(accrued, { available: -received, collateral: -redeemed }),
    obligation: withDeposit(obligation, request.reserve, -redeemed),
    moved: received,
    originationFee: 0n,
    penalty: 0n,
    collateral: redeemed,
    debtSf: 0n,
  };
}

/** Withdraws collateral tokens without redeeming them. @param collateral base units; capped at the deposit. */
export function collateralEffect(accounts: LendingState, collateral: bigint, at: Instant): LendingEffect {
  const { request, reserve, market } = accounts;
  const obligation = presentObligation(accounts);
  const held =
    obligation.deposits.find((each) => each.depositReserve === request.reserve)?.depositedAmount ?? 0n;
  const taken = lesser(collateral, held);
  return {
    reserve: refreshedAccount(refreshReserve(reserve, at, market)),
    obligation: withDeposit(obligation, request.reserve, -taken),
    moved: 0n,
    originationFee: 0n,
    penalty: 0n,
    collateral: taken,
    debtSf: 0n,
  };
}

/** The obligation's debt in a reserve, in steps of 2^-60 base units; 0 for none. */
export function debtIn(obligation: Obligation, reserve: Address, accrued: AccruedReserve): Rational {
  const debt = borrowIn(obligation, reserve);
  if (debt === undefined) return integer(0n);
  return fromScaledFraction(toScaledFraction(debtAmount(debt, accrued)));
}

function borrowIn({ borrows }: Obligation, reserve: Address): ObligationLiquidity | undefined {
  if (presentAddress(reserve) === null) return undefined;
  return borrows.find(({ borrowReserve }) => borrowReserve === reserve);
}
