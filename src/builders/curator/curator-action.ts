import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import type { ChangedAccounts } from '../account-changes.ts';
import { type Action, once, walletTokenAccount } from '../action.ts';
import type { ActionKind } from '../action-kinds.ts';
import type { BuiltAction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import type { VaultRequest } from '../vault/request.ts';
import {
  type CuratorAccounts,
  curatorAccounts,
  expectedCuratorReads,
  firstCuratorReads,
  secondCuratorReads,
} from './accounts.ts';
import { type CuratorEffect, curatorChanges } from './effect.ts';
import { curatorPreview, type Notes } from './figures.ts';

/** A built action on a vault by the wallet that runs it. */
export interface CuratorBuild {
  readonly action: BuiltAction;
  readonly effect: CuratorEffect;
  /** Settings, rent and warnings of the preview. Computed on demand. */
  readonly notes: () => Notes;
  /** Reserves that the action adds to the vault. */
  readonly added?: ReadonlyMap<Address, Reserve>;
  /** Changes besides those of the vault, its reserves and the wallet's tokens. */
  readonly alsoChanges?: (changes: ChangedAccounts) => void;
}

/** Accounts that an action reads besides those of the vault. */
export interface MoreReads {
  readonly named?: readonly Address[];
  readonly needed?: (read: ReadAccounts) => readonly Address[];
}

/** An action on the accounts of a vault. */
export function curatorAction(
  known: KnownAccounts,
  kind: ActionKind,
  { wallet, vault }: { readonly wallet: Address; readonly vault: Address },
  { named = [], needed = () => [] }: MoreReads,
  build: (accounts: CuratorAccounts, read: ReadAccounts, moment: Moment) => CuratorBuild,
): Action {
  const request: VaultRequest = { wallet, vault, programs: known.programs, lookupTables: [] };
  return {
    wallet,
    named: distinct([...firstCuratorReads(request), ...named]),
    expected: expectedCuratorReads(known, request),
    needed: (read) => distinct([...secondCuratorReads(request, read), ...needed(read)]),
    build(read, at) {
      const accounts = curatorAccounts(request, read, at);
      const { action, effect, notes, added, alsoChanges } = build(accounts, read, at.moment);
      const { token, vault: state } = accounts;
      const tokens = walletTokenAccount(token, state.tokenMint, state.tokenMintDecimals);
      return {
        kind,
        action,
        tables: accounts.tables,
        walletTokens: effect.received === null ? [] : [tokens],
        preview: once(() => curatorPreview(accounts, effect, at.moment, notes(), added)),
        after: once(() => {
          const changes = curatorChanges(accounts, effect, action, read);
          alsoChanges?.(changes);
          return changes.changes;
        }),
        fresh: new Set([...at.fresh].filter((address) => !effect.reserves.has(address))),
        about: { account: vault, pool: vault, side: 'shares' },
      };
    },
  };
}

/** An action that is no amount of tokens. */
export const withoutAmount = (instructions: BuiltAction['instructions']): BuiltAction => ({
  amount: 0n,
  all: false,
  wrappedSol: null,
  instructions,
});
