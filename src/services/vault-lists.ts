import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import type { Rational } from '../numeric/rational.ts';
import { readText } from '../programs/layout/codec.ts';
import { presentAddress } from '../programs/program-ids.ts';
import type { HolderCounts } from './history/holders.ts';
import { marketFacts } from './markets.ts';
import { type Direction, type SortKey, sortedBy } from './order.ts';
import type { VaultRecord } from './records.ts';
import { tokenOf } from './tokens.ts';
import { currentYield, totalValue, usedAllocations } from './vaults.ts';

export interface VaultFilter {
  readonly addresses?: readonly Address[] | null | undefined;
  readonly tokenMints?: readonly Address[] | null | undefined;
  /** Without regard to case, as is `nameContains`. */
  readonly tokenSymbol?: string | null | undefined;
  /** Allocates to a reserve of this market. */
  readonly market?: Address | null | undefined;
  readonly reserve?: Address | null | undefined;
  readonly nameContains?: string | null | undefined;
  readonly hasFarm?: boolean | null | undefined;
  readonly curated?: boolean | null | undefined;
  readonly minTotalValueUsd?: Rational | null | undefined;
  readonly minApy?: Rational | null | undefined;
  readonly admin?: Address | null | undefined;
}

export type VaultOrderField = 'TOTAL_VALUE' | 'APY' | 'NAME' | 'CREATED' | 'HOLDERS';

export interface VaultOrder {
  readonly field: VaultOrderField;
  readonly direction: Direction;
}

export const DEFAULT_VAULT_ORDER: VaultOrder = { field: 'TOTAL_VALUE', direction: 'DESC' };

const NOT_COUNTED: HolderCounts = new Map();

/**
 * Vaults of the View that pass the filter, in order; what cannot be valued comes last. `holders` is needed for an order
 * by them alone.
 */
export function listVaults(
  view: View,
  filter: VaultFilter = {},
  order = DEFAULT_VAULT_ORDER,
  holders = NOT_COUNTED,
): VaultRecord[] {
  return sortVaults(
    view,
    candidates(view, filter).filter((vault) => passes(view, vault, filter)),
    order,
    holders,
  );
}

export function sortVaults(
  view: View,
  vaults: Iterable<VaultRecord>,
  order = DEFAULT_VAULT_ORDER,
  holders = NOT_COUNTED,
): VaultRecord[] {
  return sortedBy(vaults, (vault) => sortKey(view, vault, order.field, holders), order.direction);
}

/** The narrowest list that the filter's links give, so that a question about a part does not walk the whole. */
function candidates(view: View, { addresses, reserve, tokenMints }: VaultFilter): VaultRecord[] {
  if (addresses) return [...new Set(addresses)].flatMap((address) => view.get('vault', address) ?? []);
  if (reserve) return [...view.vaultsOfReserve(reserve)];
  if (tokenMints) return [...new Set(tokenMints)].flatMap((mint) => view.vaultsOfMint(mint));
  return [...view.all('vault').values()];
}

/** Cheap conditions first, those that value the vault last. */
function passes(view: View, vault: VaultRecord, filter: VaultFilter): boolean {
  const { value } = vault;
  const allocatesTo = (test: (reserve: Address) => boolean) =>
    usedAllocations(value).some(({ reserve }) => test(reserve));
  const conditions: readonly (() => boolean)[] = [
    () => filter.addresses?.includes(vault.address) ?? true,
    () => filter.tokenMints?.includes(value.tokenMint) ?? true,
    () => !filter.reserve || allocatesTo((reserve) => reserve === filter.reserve),
    () =>
      !filter.market ||
      allocatesTo((reserve) => view.get('reserve', reserve)?.value.lendingMarket === filter.market),
    () => !filter.admin || value.vaultAdminAuthority === filter.admin,
    () => nullable(filter.hasFarm, (asked) => (presentAddress(value.vaultFarm) !== null) === asked),
    () =>
      nullable(filter.nameContains, (part) =>
        readText(value.name).toLowerCase().includes(part.toLowerCase()),
      ),
    () => nullable(filter.tokenSymbol, (symbol) => symbolOf(view, vault) === symbol.toLowerCase()),
    () => nullable(filter.curated, (asked) => isCurated(view, vault) === asked),
    () => nullable(filter.minTotalValueUsd, (least) => atLeast(totalValue(view, vault)?.usd ?? null, least)),
    () => nullable(filter.minApy, (least) => atLeast(currentYield(view, vault)?.total ?? null, least)),
  ];
  return conditions.every((condition) => condition());
}

function nullable<T>(asked: T | null | undefined, test: (asked: T) => boolean): boolean {
  return asked === null || asked === undefined || test(asked);
}

function atLeast(value: Rational | null, least: Rational): boolean {
  return value !== null && value.compare(least) >= 0;
}

function symbolOf(view: View, { value }: VaultRecord): string | undefined {
  const mint = view.get('mint', value.tokenMint);
  return mint && tokenOf(view, mint).symbol.toLowerCase();
}

/** Whether every allocation is in a curated market. Null when a reserve or market of it cannot be read. */
export function isCurated(view: View, { value }: VaultRecord): boolean | null {
  let curated = true;
  for (const { reserve } of usedAllocations(value)) {
    const record = view.get('reserve', reserve);
    const market = record && view.get('market', record.value.lendingMarket);
    if (market === undefined) return null;
    curated &&= marketFacts(view, market).isCurated;
  }
  return curated;
}

function sortKey(view: View, vault: VaultRecord, field: VaultOrderField, holders: HolderCounts): SortKey {
  switch (field) {
    case 'TOTAL_VALUE':
      return totalValue(view, vault)?.usd ?? null;
    case 'APY':
      return currentYield(view, vault)?.total ?? null;
    case 'NAME':
      return readText(vault.value.name).toLowerCase();
    case 'CREATED':
      return vault.value.creationTimestamp;
    case 'HOLDERS':
      // Counted by the recorder; unknown without it.
      return holders.get(vault.address) ?? null;
  }
}
