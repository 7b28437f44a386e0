import type { Address } from '@solana/kit';
import type { Moment } from '../domain/moment.ts';
import type { AccountChanges } from './account-changes.ts';
import type { ActionKind } from './action-kinds.ts';
import type { BuiltAction } from './built-instruction.ts';
import type { Preview } from './preview.ts';
import type { ReadAccounts, WalletToken } from './read-accounts.ts';
import type { UsableTable } from './transaction/lookup-tables.ts';

/** Addresses that an action reads in the first round. */
export interface FirstReads {
  /** Accounts named by the request. */
  readonly named: readonly Address[];
  /** Accounts that will probably be needed. A wrong guess costs time but does not change the result. */
  readonly expected: readonly Address[];
}

/**
 * Definition of an action that a caller asked for: the accounts that it reads, in two rounds, and how it is built from
 * them. It reads nothing itself.
 */
export interface Action extends FirstReads {
  /** Owner of the positions, and a signer. */
  readonly wallet: Address;
  /** The second round: accounts required by the content of the named ones. Throws when the action cannot be built. */
  readonly needed: (read: ReadAccounts) => readonly Address[];
  /** Builds the action on the accounts as the steps before it leave them. Throws when it cannot be built. */
  readonly build: (read: ReadAccounts, at: StepContext) => BuiltStep;
}

/** When and where a step runs. */
export interface StepContext {
  /** The earliest slot of the accounts read, which decides the usable entries of lookup tables. */
  readonly slot: bigint;
  /** The slot and time at which the action runs. */
  readonly moment: Moment;
  /** Pays rent of accounts that the step creates: the fee payer. */
  readonly payer: Address;
  /** Reserves that an earlier step of the same transaction has refreshed and no step has changed since. */
  readonly fresh: ReadonlySet<Address>;
}

/** A built action, one step of a plan. */
export interface BuiltStep {
  readonly kind: ActionKind;
  readonly action: BuiltAction;
  readonly tables: readonly UsableTable[];
  /** Token accounts of the wallet that the action affects, for balance changes. */
  readonly walletTokens: readonly WalletTokenAccount[];
  /** Computed on first call. */
  readonly preview: () => Preview;
  /** The accounts as the action leaves them, for the steps after it. Computed on first call. */
  readonly after: () => AccountChanges;
  /** Reserves that are refreshed and unchanged after the step, for the steps after it in the same transaction. */
  readonly fresh: ReadonlySet<Address>;
  /** Subject of the preview's figures. Without it, they are not combined with those of other steps. */
  readonly about?: PreviewSubject;
  /** Accounts that the next build on the same obligation will probably need. */
  readonly references?: ObligationReferences;
}

/** Accounts that an obligation refers to. */
export interface ObligationReferences {
  readonly obligation: Address;
  readonly addresses: readonly Address[];
}

/** Subject of a preview's figures; two steps with the same subject change the same figures. */
export interface PreviewSubject {
  /** The obligation, the vault in which the wallet holds shares, or the ticket in a withdraw queue. */
  readonly account: Address;
  /** The reserve or the vault acted on. */
  readonly pool: Address;
  /** The position acted on. */
  readonly side: 'deposit' | 'debt' | 'shares';
}

export interface WalletTokenAccount {
  readonly address: Address;
  readonly mint: Address;
  readonly decimals: number;
  /** Base units before the action; 0 when there is no account yet. */
  readonly before: bigint;
}

export function walletTokenAccount(
  { address, account }: WalletToken,
  mint: Address,
  decimals: bigint,
): WalletTokenAccount {
  return { address, mint, decimals: Number(decimals), before: account?.amount ?? 0n };
}

/** A built action. Its preview and its changes are computed on demand. */
export interface Build {
  readonly action: BuiltAction;
  preview(): Preview;
  /** The accounts after it. @param read the accounts that it was built on. */
  after(read: ReadAccounts): AccountChanges;
  /** Those of the reserves refreshed before it in its transaction that it leaves unchanged. */
  fresh(before: ReadonlySet<Address>): ReadonlySet<Address>;
}

/** Computes a value on first call. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
