import { ensure } from '../anchor.ts';
import { InstructionError } from '../instruction-error.ts';
import {
  addSf,
  bpsSf,
  divSf,
  floorSf,
  leastOf,
  mulSf,
  ONE_SF,
  roundSf,
  unsigned64,
  wholeSf,
} from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import {
  freelyAvailable,
  liquidityWorthSf,
  marketValueSf,
  remainingBorrowCapacitySf,
} from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

/** What a borrower asks for, in base units to receive. */
export type BorrowAsk = { readonly exact: bigint } | { readonly atMost: bigint } | 'all';

/** Request of a borrower, with its terms. */
export interface BorrowRequest {
  readonly ask: BorrowAsk;
  /** USD, times the borrow factor. */
  readonly maxValueSf: bigint;
  readonly factorSf: bigint;
  /** The referrer's share of the origination fee; 0 without a referrer. */
  readonly referralFeeBps: number;
}

export interface BorrowSize {
  /** The debt, fees included. */
  readonly debtSf: bigint;
  /** Base units for the borrower, as below. */
  readonly received: bigint;
  /** For the protocol. */
  readonly fee: bigint;
  readonly referrerFee: bigint;
}

export function sizeBorrow(reserve: ReserveState, request: BorrowRequest): BorrowSize {
  const { ask } = request;
  if (ask === 'all') return sizeLargest(reserve, request);
  if ('exact' in ask) return sizeExact(reserve, ask.exact, request);
  try {
    return sizeExact(reserve, ask.atMost, request);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return sizeLargest(reserve, request);
  }
}

const TOO_MUCH: readonly number[] = [
  LENDING.borrowTooLarge,
  LENDING.borrowLimitExceeded,
  LENDING.insufficientLiquidity,
];

function isTooMuch(error: unknown): boolean {
  if (!(error instanceof InstructionError) || typeof error.failure === 'string') return false;
  return TOO_MUCH.includes(error.failure.Custom);
}

/** The largest debt that collateral, borrow limit and liquidity allow. The fee comes out of it. */
function sizeLargest(reserve: ReserveState, request: BorrowRequest): BorrowSize {
  const coveredSf = divSf(liquidityWorthSf(reserve, request.maxValueSf), request.factorSf);
  const lendableSf = leastOf(remainingBorrowCapacitySf(reserve), wholeSf(freelyAvailable(reserve)));
  const debtSf = leastOf(coveredSf, lendableSf);
  const { originationFeeSf } = reserve.config.fees;
  const fees = feesOf(debtSf, divSf(originationFeeSf, addSf(originationFeeSf, ONE_SF)), request);
  return { debtSf, received: unsigned64(floorSf(debtSf) - fees.fee - fees.referrerFee), ...fees };
}

/** The borrower receives the exact amount. The fee is added to the debt. */
function sizeExact(reserve: ReserveState, amount: bigint, request: BorrowRequest): BorrowSize {
  const { maxValueSf, factorSf } = request;
  const fees = feesOf(wholeSf(amount), reserve.config.fees.originationFeeSf, request);
  const debtSf = addSf(wholeSf(amount), wholeSf(fees.fee + fees.referrerFee));
  const valueSf = mulSf(marketValueSf(reserve, debtSf), factorSf);
  ensure(valueSf <= maxValueSf, LENDING.borrowTooLarge);
  ensure(debtSf <= remainingBorrowCapacitySf(reserve), LENDING.borrowLimitExceeded);
  ensure(debtSf <= wholeSf(freelyAvailable(reserve)), LENDING.insufficientLiquidity);
  return { debtSf, received: amount, ...fees };
}

/** The fee of a loan is at least one base unit, unless its rate is zero. */
export function feesOf(
  amountSf: bigint,
  rateSf: bigint,
  { referralFeeBps }: Pick<BorrowRequest, 'referralFeeBps'>,
): Pick<BorrowSize, 'fee' | 'referrerFee'> {
  if (rateSf === 0n || amountSf === 0n) return { fee: 0n, referrerFee: 0n };
  const shareSf = mulSf(amountSf, rateSf);
  const feeSf = shareSf > ONE_SF ? shareSf : ONE_SF;
  ensure(feeSf < amountSf, LENDING.borrowTooSmall);
  const whole = roundSf(feeSf);
  const referrerFee = referralFeeBps === 10_000 ? whole : floorSf(mulSf(feeSf, bpsSf(referralFeeBps)));
  return { fee: whole - referrerFee, referrerFee };
}
