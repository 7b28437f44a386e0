import { viewOf } from '@sluice/protocol/layout/account';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import type { SendingClient } from '../../../packages/localnet/test/support/rpc/sending-client.ts';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import type { Lender } from './lender.ts';

/** The chain on which the demands are tried. */
export interface Stage {
  readonly client: SendingClient;
  /** Deposits of SOL and wBTC, a debt of USDC. */
  readonly plain: Lender;
  /** A deposit of jitoSOL and a debt of SOL, in elevation group 1. */
  readonly grouped: Lender;
}

/** A transaction that breaks a demand. */
export interface Attempt {
  readonly lender: Lender;
  readonly instructions: readonly BuiltInstruction[];
}

/** Description of the fault, name of the error, instruction that fails, and transaction. */
export type Demand = readonly [
  wrong: string,
  error: keyof typeof ERRORS,
  failing: string,
  attempt: (stage: Stage) => Attempt | Promise<Attempt>,
];

/** The numbers that the programs and their framework give to the errors. */
export const ERRORS = {
  ConstraintSeeds: 2006,
  ConstraintAddress: 2012,
  AccountOwnedByWrongProgram: 3007,
  AccountNotSigner: 3010,
  InvalidAccountInput: 6006,
  ReserveStale: 6009,
  BorrowTooLarge: 6013,
  ObligationStale: 6017,
  ObligationReserveLimit: 6018,
  InvalidObligationOwner: 6019,
  IncorrectInstructionInPosition: 6051,
  InvalidScopePriceAccount: 6056,
  InconsistentElevationGroup: 6068,
  ReserveObsolete: 6082,
  DepositLimitExceeded: 6090,
  BorrowingDisabledOutsideElevationGroup: 6091,
  NetValueRemainingTooSmall: 6092,
  BorrowingAboveUtilizationRateDisabled: 6098,
  MaximumWithdrawValueZero: 6116,
  FarmAccountsMissing: 6120,
  WithdrawAmountBelowMinimum: 7004,
  ReserveAccountAndKeyMismatch: 7010,
  DepositAmountBelowMinimum: 7026,
  MissingReserveForBatchRefresh: 7043,
  WithdrawAmountLessThanWithdrawalPenalty: 7049,
} as const;

export const BORROW = 'borrowObligationLiquidityV2';
export const REPAY = 'repayObligationLiquidityV2';
export const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
export const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';

const ABSENT: AccountMeta = { address: MAINNET_PROGRAMS.klend, role: AccountRole.READONLY };
const DISCRIMINATOR_BYTES = 8;

/** Without the instructions of this name. */
export const without = (instructions: readonly BuiltInstruction[], name: string) =>
  instructions.filter((each) => each.name !== name);

/** With other accounts in the instructions of this name. */
export function withAccounts(
  instructions: readonly BuiltInstruction[],
  name: string,
  edit: (accounts: readonly AccountMeta[]) => readonly AccountMeta[],
): readonly BuiltInstruction[] {
  return instructions.map((each) => (each.name === name ? { ...each, accounts: edit(each.accounts) } : each));
}

/** With another address at a position of their accounts. */
export const withAccount = (
  instructions: readonly BuiltInstruction[],
  name: string,
  position: number,
  address: Address,
) =>
  withAccounts(instructions, name, (accounts) =>
    accounts.map((each, i) => (i === position ? { ...each, address } : each)),
  );

/** Without the optional accounts at these positions. */
export const withAbsent = (
  instructions: readonly BuiltInstruction[],
  name: string,
  ...positions: readonly number[]
) =>
  withAccounts(instructions, name, (accounts) =>
    accounts.map((each, i) => (positions.includes(i) ? ABSENT : each)),
  );

/** With another first argument, a u64. */
export function withAmount(
  instructions: readonly BuiltInstruction[],
  name: string,
  amount: bigint,
): readonly BuiltInstruction[] {
  return instructions.map((each) => {
    if (each.name !== name) return each;
    const data = each.data.slice();
    viewOf(data).setBigUint64(DISCRIMINATOR_BYTES, amount, true);
    return { ...each, data };
  });
}
