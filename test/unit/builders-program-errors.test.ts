import {
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { failedProgram, programError } from '../../src/builders/program-errors.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;

describe('program errors', () => {
  it.each([
    [klend, 6006, 'InvalidAccountInput'],
    [klend, 6009, 'ReserveStale'],
    [klend, 6011, 'WithdrawTooLarge'],
    [klend, 6013, 'BorrowTooLarge'],
    [klend, 6017, 'ObligationStale'],
    [klend, 6056, 'InvalidScopePriceAccount'],
    [klend, 6116, 'MaximumWithdrawValueZero'],
    [klend, 6120, 'FarmAccountsMissing'],
    [klend, 6184, 'ReserveRewardsDisabled'],
    [klend, 6136, 'BorrowOrderMaxBorrowRateExceeded'],
    [klend, 6137, 'BorrowOrderMinDebtTermInsufficient'],
    [klend, 6185, 'TransactionIncludesNonceInstruction'],
    [klend, 6186, 'ObligationOrderExecutionDisabled'],
    [klend, 6190, 'ObligationOrderExecutionValueTooSmall'],
    [klend, 6194, 'ObligationHasActiveObligationOrders'],
    [klend, 3007, 'AccountOwnedByWrongProgram'],
    [kvault, 7000, 'DepositAmountsZero'],
    [kvault, 7026, 'DepositAmountBelowMinimum'],
    [kvault, 7045, 'InvestTooSoon'],
    [kvault, 7046, 'WrongAdminOrAllocationAdmin'],
    [kvault, 7047, 'ReserveHasNonZeroAllocationOrCTokens'],
    [kvault, 7061, 'RewardsStaleForFeeUpdate'],
    [kvault, 7062, 'VaultDepositCapReached'],
    [kvault, 7063, 'MaxInvestAmountMustBeGreaterThanZero'],
    [kvault, 7064, 'SharesOutBelowMinimum'],
    [kvault, 7065, 'InvalidPermissioningAuthority'],
    [kvault, 2006, 'ConstraintSeeds'],
    [farms, 6000, 'StakeZero'],
    [farms, 6002, 'NothingToUnstake'],
    [farms, 6076, 'UserRewardTokenAccountMustBeAta'],
    [farms, 6078, 'UserStateIdMismatch'],
    [TOKEN_PROGRAM, 1, 'InsufficientFunds'],
    [TOKEN_2022_PROGRAM, 17, 'AccountFrozen'],
    [TOKEN_PROGRAM, 11, 'NonNativeHasBalance'],
    [TOKEN_2022_PROGRAM, 42, 'CpiGuardTransferBlocked'],
    [TOKEN_2022_PROGRAM, 67, 'MintPaused'],
    [TOKEN_2022_PROGRAM, 68, 'PendingBalanceNonZero'],
    [SYSTEM_PROGRAM, 1, 'ResultWithNegativeLamports'],
  ] as const)('%s %i is %s', (program, code, name) => {
    const found = programError(MAINNET_PROGRAMS, program, code);
    expect(found.name).toBe(name);
    expect(found.advice).toMatch(/^[A-Z].*[.)]$/);
  });

  it('gives generic advice for unknown codes', () => {
    expect(programError(MAINNET_PROGRAMS, klend, 9_999)).toMatchObject({ name: null });
    expect(programError(MAINNET_PROGRAMS, WRAPPED_SOL_MINT, 1).advice).toContain(WRAPPED_SOL_MINT);
    expect(programError(MAINNET_PROGRAMS, TOKEN_PROGRAM, -1).name).toBeNull();
  });

  it('says what to do about a vault that a curator changes', () => {
    const adviceOf = (code: number) => programError(MAINNET_PROGRAMS, kvault, code).advice;
    expect(adviceOf(7045)).toContain('Wait');
    expect(adviceOf(7046)).toContain('allocation admin');
    expect(adviceOf(7047)).toContain('buildInvestVault');
  });

  it('spells out an error that has no specific advice', () => {
    const { advice } = programError(MAINNET_PROGRAMS, klend, 6031);
    expect(advice).toBe('The lending program failed: flash borrow cpi (6031).');
  });

  it('blames the innermost program that failed', () => {
    const logs = [
      `Program ${klend} invoke [1]`,
      `Program log: Program ${farms} failed: a line that a program wrote`,
      `Program ${TOKEN_PROGRAM} invoke [2]`,
      'Program log: Error: insufficient funds',
      `Program ${TOKEN_PROGRAM} consumed 4000 of 190000 compute units`,
      `Program ${TOKEN_PROGRAM} failed: custom program error: 0x1`,
      `Program ${klend} failed: custom program error: 0x1`,
    ];
    expect(failedProgram(logs)).toBe(TOKEN_PROGRAM);
    expect(failedProgram(logs.slice(-1))).toBe(klend);
    expect(failedProgram(logs.slice(0, 5))).toBeNull();
  });
});
