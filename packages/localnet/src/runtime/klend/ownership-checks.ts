import type { Obligation } from '@sluice/protocol/klend/obligation';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { advanceNonceAccount } from '@sluice/protocol/system/nonce-instructions';
import { aborted, ensure } from '../anchor.ts';
import { checkAddress } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';

/** Checks of the steps by which an obligation changes its owner. */

/** Stored states of a transfer. */
export const TRANSFER = { none: 0, initiated: 1, approved: 2 } as const;
const LAST_STATE = TRANSFER.approved;

/** The stored state. The program panics for a number that is none. */
export function transferState({ ownershipTransferState: state }: Obligation): number {
  if (state > LAST_STATE) throw aborted();
  return state;
}

export const checkInstructionsSysvar = (account: InstructionAccount): void =>
  checkAddress(account, INSTRUCTIONS_SYSVAR);

/** Only the compute budget may be set in the same transaction (6182), and no program may be the caller (6080). */
export function checkAlone({ transaction, stackHeight }: Invocation): void {
  const { instructions, index } = transaction;
  const isAlone = instructions.every(
    ({ programAddress }, i) => i === index || programAddress === COMPUTE_BUDGET_PROGRAM,
  );
  ensure(isAlone, LENDING.onlyComputeBudgetCompanionIxsAllowed);
  const isDirect = stackHeight === 1 && instructions[index]?.programAddress === MAINNET_PROGRAMS.klend;
  ensure(isDirect, LENDING.cpiDisabled);
}

/** A step of the admin must land while its blockhash is recent (6185). */
export function checkNoDurableNonce({ transaction }: Invocation): void {
  const { discriminator } = advanceNonceAccount;
  const isAdvance = transaction.instructions.some(
    ({ programAddress, data }) =>
      programAddress === SYSTEM_PROGRAM && discriminator.every((byte, i) => data[i] === byte),
  );
  ensure(!isAdvance, LENDING.transactionIncludesNonceInstruction);
}

/** No borrow order that is kept may have debt left to fill (6181). */
export function checkNoBorrowOrders(obligation: ObligationState): void {
  const isActive = obligation.borrowOrders.some(
    ({ remainingDebtAmount }, i) => obligation.keepsBorrowOrder[i] === true && remainingDebtAmount > 0n,
  );
  ensure(!isActive, LENDING.obligationHasActiveBorrowOrders);
}
