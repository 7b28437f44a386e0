import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import type { ReserveRecord, VaultRecord } from '../services/records.ts';
import { isReserveActedUpon } from './account-changes.ts';
import { type Found, isFound, isSameAbsence } from './found.ts';
import type { ChangeReason, Subject } from './update.ts';
import { groundChange, vaultFooting } from './value-changes.ts';

/** Something of the catalogue in a View. */
export interface InView<R> {
  readonly address: Address;
  readonly view: View;
  readonly found: Found<R>;
}

/** The time of the chain itself. */
export type ViewState = View;

export const SLOT_SUBJECT: Subject<ViewState> = {
  read: async ({ view }) => new Map([['slot', view]]),
  change: (before, after) => (before.moment.slot === after.moment.slot ? null : 'ACCRUAL'),
};

export function vaultsSubject(addresses: readonly Address[]): Subject<InView<VaultRecord>> {
  return {
    read: async ({ view }) => inView(view, addresses, (address) => view.find('vault', address) ?? null),
    change: (before, after) =>
      changeOf(before, after, (then, now) =>
        then === now ? groundChange(before.view, after.view, vaultFooting(now)) : 'ACCOUNT',
      ),
  };
}

export function reservesSubject(addresses: readonly Address[]): Subject<InView<ReserveRecord>> {
  return {
    read: async ({ view }) => inView(view, addresses, (address) => view.find('reserve', address) ?? null),
    change: (before, after) =>
      changeOf(before, after, (then, now) => {
        if (then !== now && isReserveActedUpon(then, now)) return 'ACCOUNT';
        const footing = { reserves: new Set([now.address]), mints: new Set<Address>() };
        return groundChange(before.view, after.view, footing);
      }),
  };
}

function inView<R>(
  view: View,
  addresses: readonly Address[],
  find: (address: Address) => Found<R>,
): Map<string, InView<R>> {
  return new Map(addresses.map((address) => [address, { address, view, found: find(address) }]));
}

function changeOf<R>(
  { found: then }: InView<R>,
  { found: now }: InView<R>,
  change: (then: R, now: R) => ChangeReason | null,
): ChangeReason | null {
  if (isFound(then) && isFound(now)) return change(then, now);
  return isSameAbsence(then, now) ? null : 'ACCOUNT';
}
