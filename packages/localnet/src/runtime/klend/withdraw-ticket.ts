import {
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import { withdrawTicket as layout, type WithdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { load, patch } from '../anchor.ts';
import { checkHasOne, checkSeeds, loadTokenAccount } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';

/** Accounts of the withdraw queue: tickets, and the vaults in which their collateral tokens wait. */

const { klend } = MAINNET_PROGRAMS;

export const loadTicket = (account: InstructionAccount): WithdrawTicket => load(account, layout, klend);

/** The account must be the ticket of this number of the reserve. */
export function checkTicket(
  account: InstructionAccount,
  { reserve: stored }: WithdrawTicket,
  reserve: InstructionAccount,
  number: bigint,
): void {
  checkSeeds(account, ticketAddress(klend, reserve.address, number));
  checkHasOne(stored, reserve);
}

/** Stores the collateral tokens that a payment or cancellation leaves. */
export function writeTicketCollateral(account: InstructionAccount, collateral: bigint): void {
  patch(account, layout, { queuedCollateralAmount: collateral });
}

/** The payment cannot be made, so that the collateral can only be recovered. */
export const markTicketInvalid = (account: InstructionAccount): void =>
  patch(account, layout, { invalid: 1 });

interface QueuedVault {
  readonly account: InstructionAccount;
  readonly reserve: Address;
  /** Owner of the tickets whose collateral tokens it holds. */
  readonly owner: Address;
  readonly mint: Address;
  /** The market's authority, which signs for it. */
  readonly authority: Address;
}

export function checkQueuedVault({ account, reserve, owner, mint, authority }: QueuedVault): void {
  checkSeeds(account, ownerQueuedCollateralVault(klend, reserve, owner));
  loadTokenAccount(account, { mint, authority });
}
