import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { flashLoanFee, givesFlashLoans, largestFlashLoan } from '../../src/domain/flash-loan.ts';

const { klend } = MAINNET_PROGRAMS;
const withFee = (flashLoanFeeSf: bigint) =>
  reserve.decode({ owner: klend, data: reserve.encode({ config: { fees: { flashLoanFeeSf } } }) }, klend);
const cheap = withFee(FRACTION_ONE / 100_000n);

describe('flash loans', () => {
  it('cost their rate, rounded, and at least one base unit', () => {
    expect(flashLoanFee(cheap, 1_000_000_000n)).toBe(10_000n);
    expect(flashLoanFee(cheap, 150_001n)).toBe(2n);
    // 1423359869278042355652 / 2^60 = 1234.57; and 0.01, of which one is charged.
    expect([flashLoanFee(cheap, 123_456_789n), flashLoanFee(cheap, 1_000n)]).toEqual([1_235n, 1n]);
    expect(flashLoanFee(cheap, 1n)).toBe(1n);
    expect(flashLoanFee(withFee(0n), 1_000n)).toBe(0n);
  });

  it('can be disabled', () => {
    const disabled = withFee(U64_MAX);
    expect([givesFlashLoans(cheap), givesFlashLoans(disabled)]).toEqual([true, false]);
    // The mark is not taken for a rate of 1,600 %.
    expect([flashLoanFee(disabled, 1_000n), largestFlashLoan(disabled, 1_000n)]).toEqual([0n, 1_000n]);
  });

  it('the largest that an amount repays leaves nothing for a larger one', () => {
    expect(largestFlashLoan(cheap, 150_000_000n)).toBe(149_998_500n);
    expect(largestFlashLoan(cheap, 1n)).toBe(0n);
    expect(largestFlashLoan(cheap, 2n)).toBe(1n);
    expect(largestFlashLoan(withFee(0n), 77n)).toBe(77n);
    // A fee as large as the loan.
    expect(largestFlashLoan(withFee(FRACTION_ONE), 100n)).toBe(50n);
    for (const units of [3n, 99n, 100_001n, 200_003n, 12_345_678_901n]) {
      const loan = largestFlashLoan(cheap, units);
      expect(loan + flashLoanFee(cheap, loan) <= units).toBe(true);
      expect(loan + 1n + flashLoanFee(cheap, loan + 1n) > units).toBe(true);
    }
  });
});
