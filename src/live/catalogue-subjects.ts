import type { Address } from '@solana/kit';
import type { View } from '../chain/view/view.ts';
import type { ReserveRecord, VaultRecord } from '../services/request/records.ts';
import { isReserveModified } from './account-changes.ts';
import { isFound, isSameAbsence, type LookupResult } from './lookup-result.ts';
import type { ChangeReason, Subject } from './update.ts';
import { valueChange, vaultDependencies } from './value-changes.ts';

/** A vault or reserve as of a View. */
export interface CatalogueState<R> {
  readonly address: Address;
  readonly view: View;
  readonly found: LookupResult<R>;
}

/** The state of the `slot` subscription. */
export type ViewState = View;

export const SLOT_SUBJECT: Subject<ViewState> = {
  read: async ({ view }) => new Map([['slot', view]]),
  change: (before, after) => (before.moment.slot === after.moment.slot ? null : 'ACCRUAL'),
};

export function vaultsSubject(addresses: readonly Address[]): Subject<CatalogueState<VaultRecord>> {
  return {
    read: async ({ view }) => statesOf(view, addresses, (address) => view.find('vault', address) ?? null),
    change: (before, after) =>
      changeOf(before, after, (then, now) =>
        then === now ? valueChange(before.view, after.view, vaultDependencies(now)) : 'ACCOUNT',
      ),
  };
}

export function reservesSubject(addresses: readonly Address[]): Subject<CatalogueState<ReserveRecord>> {
  return {
    read: async ({ view }) => statesOf(view, addresses, (address) => view.find('reserve', address) ?? null),
    change: (before, after) =>
      changeOf(before, after, (then, now) => {
        if (then !== now && isReserveModified(then, now)) return 'ACCOUNT';
        const dependencies = { reserves: new Set([now.address]), mints: new Set<Address>() };
        return valueChange(before.view, after.view, dependencies);
      }),
  };
}

function statesOf<R>(
  view: View,
  addresses: readonly Address[],
  find: (address: Address) => LookupResult<R>,
): Map<string, CatalogueState<R>> {
  return new Map(addresses.map((address) => [address, { address, view, found: find(address) }]));
}

function changeOf<R>(
  { found: then }: CatalogueState<R>,
  { found: now }: CatalogueState<R>,
  change: (then: R, now: R) => ChangeReason | null,
): ChangeReason | null {
  if (isFound(then) && isFound(now)) return change(then, now);
  return isSameAbsence(then, now) ? null : 'ACCOUNT';
}
