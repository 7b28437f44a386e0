import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { reserveAddress } from '../support/builders/lending-accounts.ts';
import {
  type ComparedActions,
  comparedResults,
  everything,
  nearLimit,
  someAmount,
} from '../support/localnet/compared-actions.ts';
import { type DepositBench, depositBench } from '../support/localnet/deposit-bench.ts';

const isClosed = (bench: DepositBench) => bench.account(bench.obligationAddress).owner === SYSTEM_PROGRAM;

/** Collateral tokens of the obligation in a reserve; 0 once it is closed. */
function heldBy(bench: DepositBench, reserve: number): bigint {
  if (isClosed(bench)) return 0n;
  const { deposits } = obligation.decode(bench.account(bench.obligationAddress), MAINNET_PROGRAMS.klend);
  return deposits.find((each) => each.depositReserve === reserveAddress(reserve))?.depositedAmount ?? 0n;
}

const compared: ComparedActions<DepositBench> = {
  actions: ['deposit', 'withdraw'],
  /** Raise it for a long run; the default keeps the suite short. */
  states: Number(process.env.RUNTIME_FUZZ_RUNS ?? 600),
  bench: depositBench,
  observe({ action, reserve }, bench) {
    const { address } = bench.accounts.token;
    const before = { wallet: bench.balance(address), held: heldBy(bench, reserve) };
    const sign = action === 'deposit' ? 1n : -1n;
    return () => {
      const { collateral } = bench.reserve(reserve);
      expect(collateral.mintTotalSupply).toBe(bench.balance(collateral.supplyVault));
      expect(collateral.mintTotalSupply).toBe(bench.collateralSupply(reserve));
      return {
        moved: sign * (before.wallet - bench.balance(address)),
        fee: 0n,
        collateral: sign * (heldBy(bench, reserve) - before.held),
        debt: 0n,
      };
    };
  },
  accepted: (bench) => (isClosed(bench) ? 'closed' : 'accepted'),
};

describe('deposit and withdraw on the localnet, against a second implementation of the program', () => {
  it('"all": the same amounts to the base unit, or the same error', () => {
    const seen = comparedResults(compared, everything);
    const wanted = [
      'deposit DepositLimitExceeded',
      'deposit InconsistentElevationGroup',
      'deposit ReserveObsolete',
      'withdraw accepted',
      'withdraw closed',
      'withdraw ElevationGroupNewLoansDisabled',
      'withdraw InsufficientLiquidity',
      'withdraw MaximumWithdrawValueZero',
      'withdraw NetValueRemainingTooSmall',
      'withdraw ObligationInObsoleteReserve',
      'withdraw WithdrawalCapReached',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('exact amounts: the same amounts to the base unit, or the same error', () => {
    const seen = comparedResults(compared, someAmount);
    const wanted = [
      'deposit accepted',
      'deposit DepositDisabledOutsideElevationGroup',
      'deposit GlobalEmergencyMode',
      'deposit InvalidAmount',
      'deposit NetValueRemainingTooSmall',
      'deposit OperationNotPermittedWithCurrentObligationOrders',
      'withdraw accepted',
      'withdraw WithdrawTooLarge',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('amounts around the maximum: accepted and refused at the same base unit', () => {
    const seen = comparedResults(compared, nearLimit);
    const wanted = ['withdraw accepted', 'withdraw closed', 'withdraw WithdrawTooLarge'];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });
});
