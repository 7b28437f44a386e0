import type { Reserve } from '@sluice/protocol/klend/reserve';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { largestLoan, loanFee } from './reserve.ts';

/** Whether the reserve gives flash loans at all. */
export function givesFlashLoans({ config }: Reserve): boolean {
  return config.fees.flashLoanFeeSf !== U64_MAX;
}

/** In units of 2^-60. Zero for a reserve that gives no flash loans: its rate is a mark, not a rate. */
const feeRateSf = (reserve: Reserve): bigint =>
  givesFlashLoans(reserve) ? reserve.config.fees.flashLoanFeeSf : 0n;

/** Base units charged on top of a flash loan: at least one if the reserve has a fee. */
export function flashLoanFee(reserve: Reserve, amount: bigint): bigint {
  return loanFee(feeRateSf(reserve), amount);
}

/** The largest flash loan that so many base units repay, fee included; 0 when they do not even pay a fee. */
export function largestFlashLoan(reserve: Reserve, units: bigint): bigint {
  return largestLoan(feeRateSf(reserve), units);
}
