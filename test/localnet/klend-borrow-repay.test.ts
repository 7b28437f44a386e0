import { describe, expect, it } from 'vitest';
import { reserveAddress } from '../support/builders/lending-accounts.ts';
import {
  type Choice,
  type ComparedActions,
  comparedResults,
  everything,
  nearLimit,
  someAmount,
} from '../support/localnet/compared-actions.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const debtOf = (bench: LendingBench, reserve: number) =>
  bench.obligation().borrows.find(({ borrowReserve }) => borrowReserve === reserveAddress(reserve))
    ?.borrowedAmountSf ?? 0n;

const compared: ComparedActions<LendingBench> = {
  actions: ['borrow', 'repay'],
  /** Raise it for a long run; the default keeps the suite short. */
  states: Number(process.env.RUNTIME_FUZZ_RUNS ?? 300),
  bench: lendingBench,
  observe({ action, reserve }, bench) {
    const { address } = bench.accounts.token;
    const { feeVault } = bench.reserve(reserve).liquidity;
    const referrerFees = () => bench.reserve(reserve).liquidity.accumulatedReferrerFeesSf;
    const before = { held: bench.balance(address), debt: debtOf(bench, reserve), fees: referrerFees() };
    const sign = action === 'borrow' ? 1n : -1n;
    return () => ({
      moved: sign * (bench.balance(address) - before.held),
      fee: bench.balance(feeVault) + ((referrerFees() - before.fees) >> 60n),
      collateral: 0n,
      debt: sign * (debtOf(bench, reserve) - before.debt),
    });
  },
};

/** A repayment has no maximum but the debt. */
const nearMaximum: Choice = (state, chance, bench) =>
  (state.action === 'repay' ? someAmount : nearLimit)(state, chance, bench);

describe('borrow and repay on the localnet, against a second implementation of the program', () => {
  it('"all": the same amounts to the last bit, or the same error', () => {
    const seen = comparedResults(compared, everything);
    const wanted = [
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow BorrowingAboveUtilizationRateDisabled',
      'borrow ElevationGroupBorrowLimitExceeded',
      'borrow WithdrawalCapReached',
      'repay accepted',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('exact amounts: the same amounts to the last bit, or the same error', () => {
    const seen = comparedResults(compared, someAmount);
    const wanted = [
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow InsufficientLiquidity',
      'repay accepted',
      'repay NetValueRemainingTooSmall',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('amounts around the maximum: accepted and refused at the same base unit', () => {
    const seen = comparedResults(compared, nearMaximum);
    expect(['borrow accepted', 'borrow BorrowTooLarge'].filter((each) => !seen.has(each))).toEqual([]);
  });
});
