import type { ConfirmedInstruction } from './confirmed-transaction.ts';
import type { AllocationChange, EventLookups, FarmChange, LendingChange, VaultChange } from './events.ts';
import type { InstructionReader } from './instruction-reader.ts';
import type { TokenAccounts } from './token-accounts.ts';
import type { Flows } from './token-movements.ts';

/** The context of one call of a platform program. */
export interface CallContext {
  /** Token movements of this call alone. */
  readonly flows: Flows;
  /** Events that the program recorded during this call. */
  readonly recorded: readonly ConfirmedInstruction[];
  readonly accounts: TokenAccounts;
  readonly lookups: EventLookups;
}

/** With none of the lists, the call was expected to move tokens and did not. */
export interface Changes {
  readonly vault?: readonly VaultChange[];
  readonly lending?: readonly LendingChange[];
  readonly farm?: readonly FarmChange[];
  readonly allocation?: readonly AllocationChange[];
}

/** Turns one platform instruction into events. */
export type Action = InstructionReader<CallContext, Changes>;
