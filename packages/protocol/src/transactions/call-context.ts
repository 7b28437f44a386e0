import type { Address } from '@solana/kit';
import type { ConfirmedInstruction } from './confirmed-transaction.ts';
import type {
  AllocationChange,
  EventLookups,
  FarmChange,
  LendingChange,
  QueueChange,
  VaultChange,
} from './events.ts';
import type { InstructionReader } from './instruction-reader.ts';
import type { TokenAccounts } from './token-accounts.ts';
import type { Flows } from './token-movements.ts';

/** Collateral tokens that an instruction paid out without redeeming them. */
export interface CollateralRelease {
  /** The token account that received them. */
  readonly account: Address;
  readonly signer: Address;
  readonly obligation: Address | null;
  readonly vault: Address | null;
}

/** The context of one call of a platform program. */
export interface CallContext {
  /** Token movements of this call alone. */
  readonly flows: Flows;
  /** Events that the program recorded during this call. */
  readonly recorded: readonly ConfirmedInstruction[];
  readonly accounts: TokenAccounts;
  readonly lookups: EventLookups;
  /** The latest release of collateral tokens to this account in the transaction, or the one of the calling instruction. */
  releaseTo(account: Address): CollateralRelease | null;
}

/** With none of the lists, the call was expected to move tokens and did not. */
export interface Changes {
  readonly vault?: readonly VaultChange[];
  readonly lending?: readonly LendingChange[];
  readonly farm?: readonly FarmChange[];
  readonly allocation?: readonly AllocationChange[];
  readonly queue?: readonly QueueChange[];
  readonly release?: CollateralRelease;
}

/** Turns one platform instruction into events. */
export type Action = InstructionReader<CallContext, Changes>;
