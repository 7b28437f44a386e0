import type { EventLookups, LendingChange, VaultChange } from './events.ts';
import type { Reading } from './readings.ts';
import type { TokenAccounts } from './token-accounts.ts';
import type { Flows } from './token-movements.ts';

/** What is known around one call of the platform. */
export interface Scene {
  /** Token movements of this call alone. */
  readonly flows: Flows;
  readonly accounts: TokenAccounts;
  readonly lookups: EventLookups;
}

/** With neither list, the call should have moved something and did not. */
export interface Changes {
  readonly vault?: readonly VaultChange[];
  readonly lending?: readonly LendingChange[];
}

/** How one instruction of the platform becomes events. */
export type Action = Reading<Scene, Changes>;
