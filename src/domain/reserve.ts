import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import {
  FRACTION_ONE,
  fromBps,
  fromPercent,
  fromScaledFraction,
  percentScaled,
  toScaledFraction,
  U64_MAX,
} from '@sluice/protocol/numeric/fraction';
import { atLeastZero, ceilDivide } from '@sluice/protocol/numeric/integer';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { positivePart, valueUsd } from './arithmetic.ts';

export type ReserveStatus = 'ACTIVE' | 'OBSOLETE' | 'HIDDEN' | 'UNKNOWN';

const STATUSES: readonly ReserveStatus[] = ['ACTIVE', 'OBSOLETE', 'HIDDEN'];

/** UNKNOWN for a number without a documented meaning. */
export function reserveStatus(reserve: Reserve): ReserveStatus {
  return STATUSES[reserve.config.status] ?? 'UNKNOWN';
}

/** The version of reserve accounts that the program accepts. */
export const RESERVE_VERSION = 1n;

/** In emergency mode the program refuses every action on the reserve but its refresh, which invalidates its price. */
export function isInEmergency({ config }: Reserve): boolean {
  return config.emergencyMode !== 0;
}

/** Base units that redemptions can take now: none in emergency mode. */
export function redeemableNow(reserve: AccruedReserve): Rational {
  return isInEmergency(reserve.account) ? ZERO : freelyAvailable(reserve);
}

const STATUS_WORDS = {
  ACTIVE: 'Active',
  OBSOLETE: 'Obsolete',
  HIDDEN: 'Hidden',
  UNKNOWN: 'Unknown',
} as const satisfies Record<ReserveStatus, string>;

/** The status as REST and the history write it. */
export function statusWord(reserve: Reserve) {
  return STATUS_WORDS[reserveStatus(reserve)];
}

/** Collateral tokens per unit of liquidity; 1 while either side is empty. Falls as interest accrues. */
export function collateralExchangeRate({ account, totalSupply }: AccruedReserve): Rational {
  const minted = account.collateral.mintTotalSupply;
  if (minted === 0n || totalSupply.isZero) return ONE;
  return Rational.of(minted * totalSupply.d, totalSupply.n);
}

/** Converts collateral tokens to liquidity, both in base units. */
export function collateralToLiquidity(accrued: AccruedReserve, collateral: bigint): Rational {
  const rate = collateralExchangeRate(accrued);
  return Rational.of(collateral * rate.d, rate.n);
}

/** Converts liquidity to collateral tokens, both in base units. */
export function liquidityToCollateral(accrued: AccruedReserve, liquidity: Rational): Rational {
  return liquidity.mul(collateralExchangeRate(accrued));
}

/** Base units in the withdraw queue, which has first claim on the available liquidity. */
export function queuedLiquidity(accrued: AccruedReserve): Rational {
  const queued = accrued.account.withdrawQueue.queuedCollateralAmount;
  return queued === 0n ? ZERO : collateralToLiquidity(accrued, queued);
}

/** Base units that can be borrowed or withdrawn now: available minus the withdraw queue. */
export function freelyAvailable(accrued: AccruedReserve): Rational {
  return positivePart(integer(accrued.available).sub(queuedLiquidity(accrued)));
}

/** Whole base units that the program lets leave the reserve: it rounds the withdraw queue down first. */
export function freelyAvailableUnits(accrued: AccruedReserve): bigint {
  return atLeastZero(accrued.available - queuedLiquidity(accrued).floor());
}

/** Base units that may still be supplied under the deposit limit. */
export function depositRemaining({ account, totalSupply }: AccruedReserve): Rational {
  return positivePart(integer(account.config.depositLimit).sub(totalSupply));
}

/** Base units that may still be borrowed under the borrow limit, ignoring available liquidity. */
export function borrowRemaining({ account, borrowed }: AccruedReserve): Rational {
  return positivePart(integer(account.config.borrowLimit).sub(borrowed));
}

/** The utilization above which borrowing is blocked; null without a limit. */
export function utilizationBorrowBlock(config: ReserveConfig): Rational | null {
  const percent = config.utilizationLimitBlockBorrowingAbovePct;
  return percent === 0 ? null : fromPercent(percent);
}

/**
 * Base units that may be borrowed before utilization reaches the limit: the program rejects a borrow that reaches it. Full
 * utilization without a limit.
 */
export function borrowRemainingUnderUtilization({
  account,
  totalSupply,
  borrowed,
}: AccruedReserve): Rational {
  const percent = account.config.utilizationLimitBlockBorrowingAbovePct;
  if (percent === 0) return positivePart(totalSupply.sub(borrowed));
  const distance =
    percentScaled(percent) * toScaledFraction(totalSupply) - toScaledFraction(borrowed) * FRACTION_ONE;
  return integer(atLeastZero(ceilDivide(atLeastZero(distance), FRACTION_ONE * FRACTION_ONE) - 1n));
}

/**
 * Base units that may still flow out under a withdrawal cap at a unix time (seconds); null when the cap is disabled. Net
 * inflow in the current interval raises it above the capacity.
 */
export function remainingWithdrawalCap(
  cap: ReserveConfig['depositWithdrawalCap'],
  timestamp: bigint,
): Rational | null {
  if (cap.configIntervalLengthSeconds === 0n) return null;
  if (cap.configCapacity < 0n) return ZERO;
  const elapsed = timestamp - cap.lastIntervalStartTimestamp >= cap.configIntervalLengthSeconds;
  return positivePart(integer(cap.configCapacity - (elapsed ? 0n : cap.currentTotal)));
}

/** USD value of everything supplied, at a price per whole token. */
export function suppliedUsd({ account, totalSupply }: AccruedReserve, priceUsd: Rational): Rational {
  return valueUsd(totalSupply, account.liquidity.mintDecimals, priceUsd);
}

/** USD value of everything borrowed, at a price per whole token. */
export function borrowedUsd({ account, borrowed }: AccruedReserve, priceUsd: Rational): Rational {
  return valueUsd(borrowed, account.liquidity.mintDecimals, priceUsd);
}

/** The reserve's risk settings, as fractions. An elevation group may override the first three. */
export interface ReserveRisk {
  readonly maxLtv: Rational;
  readonly liquidationLtv: Rational;
  readonly borrowFactor: Rational;
  readonly minLiquidationBonus: Rational;
  readonly maxLiquidationBonus: Rational;
}

export function reserveRisk({ config }: Reserve): ReserveRisk {
  return {
    maxLtv: fromPercent(config.loanToValuePct),
    liquidationLtv: fromPercent(config.liquidationThresholdPct),
    borrowFactor: fromPercent(config.borrowFactorPct),
    minLiquidationBonus: fromBps(config.minLiquidationBonusBps),
    maxLiquidationBonus: fromBps(config.maxLiquidationBonusBps),
  };
}

/** The reserve's fees, as fractions. */
export interface ReserveFees {
  /** Fraction of the amount borrowed, charged on top. */
  readonly origination: Rational;
  /** Fraction of a flash loan; null when flash loans are disabled. */
  readonly flashLoan: Rational | null;
  /** The protocol's fraction of the interest. */
  readonly protocolTake: Rational;
  /** Yearly rate for the host on top of the curve, in the curve's basis. */
  readonly hostFixedRate: Rational;
  /** Fraction of the interest until the end of the term that repaying a fixed-term debt early costs. */
  readonly earlyRepayRemainingInterest: Rational;
}

export function reserveFees({ config }: Reserve): ReserveFees {
  const { originationFeeSf, flashLoanFeeSf } = config.fees;
  return {
    origination: fromScaledFraction(originationFeeSf),
    flashLoan: flashLoanFeeSf === U64_MAX ? null : fromScaledFraction(flashLoanFeeSf),
    protocolTake: fromPercent(config.protocolTakeRatePct),
    hostFixedRate: fromBps(config.hostFixedInterestRateBps),
    earlyRepayRemainingInterest: fromPercent(config.earlyRepayRemainingInterestPct),
  };
}

/** Base units charged on top of borrowing `amount` base units: at least one if the reserve has a fee. */
export function originationFee({ config }: Reserve, amount: bigint): bigint {
  return loanFee(config.fees.originationFeeSf, amount);
}

/** Base units charged on top of a loan: at least one unless the rate, in units of 2^-60, is zero. A half rounds up. */
export function loanFee(rateSf: bigint, amount: bigint): bigint {
  if (rateSf === 0n || amount <= 0n) return 0n;
  const fee = (amount * rateSf + FRACTION_ONE / 2n) / FRACTION_ONE;
  return fee > 1n ? fee : 1n;
}

/** The largest loan that leaves loan and fee together within so many base units; 0 when not even the fee fits. */
export function largestLoan(rateSf: bigint, units: bigint): bigint {
  let loan = (units * FRACTION_ONE) / (FRACTION_ONE + rateSf);
  while (loan > 0n && loan + loanFee(rateSf, loan) > units) loan -= 1n;
  while (loan < units && loan + 1n + loanFee(rateSf, loan + 1n) <= units) loan += 1n;
  return loan;
}
