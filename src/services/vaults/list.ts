import { readText } from '@sluice/protocol/layout/codec';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { marketFacts } from '../markets/markets.ts';
import type { ListQuery } from '../paging/paging.ts';
import { type SortDirection, type SortKey, sortedBy } from '../paging/sorting.ts';
import { viewCache } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import type { HolderCounts } from './holders.ts';
import { totalValue, usedAllocations } from './vaults.ts';
import { currentYield } from './yields.ts';

export interface VaultFilter {
  readonly addresses?: readonly Address[] | null | undefined;
  readonly tokenMints?: readonly Address[] | null | undefined;
  /** Case-insensitive; so is `nameContains`. */
  readonly tokenSymbol?: string | null | undefined;
  /** Allocates to a reserve of this market. */
  readonly market?: Address | null | undefined;
  readonly reserve?: Address | null | undefined;
  readonly nameContains?: string | null | undefined;
  readonly hasFarm?: boolean | null | undefined;
  readonly curated?: boolean | null | undefined;
  readonly minTotalValueUsd?: Rational | null | undefined;
  readonly minCurrentApy?: Rational | null | undefined;
  readonly admin?: Address | null | undefined;
}

export type VaultOrderField = 'TOTAL_VALUE' | 'CURRENT_APY' | 'NAME' | 'CREATED' | 'HOLDERS';

export interface VaultOrder {
  readonly field: VaultOrderField;
  readonly direction: SortDirection;
}

export const DEFAULT_VAULT_ORDER: VaultOrder = { field: 'TOTAL_VALUE', direction: 'DESC' };

const NOT_COUNTED: HolderCounts = new Map();

/** Vaults of the View that match the filter, sorted; unknown values last. `holders` is needed only to sort by it. */
export function listVaults(
  view: View,
  filter: VaultFilter = {},
  order = DEFAULT_VAULT_ORDER,
  holders = NOT_COUNTED,
): VaultRecord[] {
  const tests = testsOf(view, filter);
  const passing = (vaults: readonly VaultRecord[]) =>
    vaults.filter((vault) => tests.every((test) => test(vault)));
  const few = candidates(view, filter);
  if (few !== null) return sortVaults(view, passing(few), order, holders);
  return passing(holders === NOT_COUNTED ? allInOrder(view, order) : allSorted(view, order, holders));
}

/** All vaults, most valuable first. */
export const ALL_VAULTS: ListQuery<VaultRecord> = {
  key: vaultListKey({}, DEFAULT_VAULT_ORDER),
  list: (view) => listVaults(view),
};

/** Cursors are valid for lists with an equal key. */
export function vaultListKey(filter: VaultFilter, order: VaultOrder): readonly unknown[] {
  return ['vaults', filter, order];
}

/** Caches the sort orders, which are few, unlike filters. */
const orders = viewCache<Map<string, readonly VaultRecord[]>>();

function allInOrder(view: View, order: VaultOrder): readonly VaultRecord[] {
  let known = orders.get(view);
  if (known === undefined) {
    known = new Map();
    orders.set(view, known);
  }
  const key = `${order.field} ${order.direction}`;
  const sorted = known.get(key) ?? allSorted(view, order, NOT_COUNTED);
  known.set(key, sorted);
  return sorted;
}

function allSorted(view: View, order: VaultOrder, holders: HolderCounts): VaultRecord[] {
  return sortVaults(view, view.all('vault').values(), order, holders);
}

export function sortVaults(
  view: View,
  vaults: Iterable<VaultRecord>,
  order = DEFAULT_VAULT_ORDER,
  holders = NOT_COUNTED,
): VaultRecord[] {
  return sortedBy(vaults, (vault) => sortKey(view, vault, order.field, holders), order.direction);
}

/** The narrowest indexed list for the filter, to avoid scanning all vaults; null when a scan is needed. */
function candidates(view: View, { addresses, reserve, tokenMints }: VaultFilter): VaultRecord[] | null {
  if (addresses) return [...new Set(addresses)].flatMap((address) => view.get('vault', address) ?? []);
  if (reserve) return [...view.vaultsOfReserve(reserve)];
  if (tokenMints) return [...new Set(tokenMints)].flatMap((mint) => view.vaultsOfMint(mint));
  return null;
}

type Test = (vault: VaultRecord) => boolean;

/** The conditions of a filter: cheap ones first, those that value the vault last. */
function testsOf(view: View, filter: VaultFilter): Test[] {
  const tests: Test[] = [];
  const when = <T>(asked: T | null | undefined, test: (vault: VaultRecord, asked: T) => boolean) => {
    if (asked !== null && asked !== undefined) tests.push((vault) => test(vault, asked));
  };
  const allocatesTo = ({ value }: VaultRecord, test: (reserve: Address) => boolean) =>
    usedAllocations(value).some(({ reserve }) => test(reserve));
  when(filter.addresses, ({ address }, asked) => asked.includes(address));
  when(filter.tokenMints, ({ value }, asked) => asked.includes(value.tokenMint));
  when(filter.reserve, (vault, asked) => allocatesTo(vault, (reserve) => reserve === asked));
  when(filter.market, (vault, asked) =>
    allocatesTo(vault, (reserve) => view.get('reserve', reserve)?.value.lendingMarket === asked),
  );
  when(filter.admin, ({ value }, asked) => value.vaultAdminAuthority === asked);
  when(filter.hasFarm, ({ value }, asked) => (presentAddress(value.vaultFarm) !== null) === asked);
  when(filter.nameContains?.toLowerCase(), ({ value }, part) =>
    readText(value.name).toLowerCase().includes(part),
  );
  when(
    filter.tokenSymbol?.toLowerCase(),
    (vault, asked) => tokenSymbol(view, vault.value.tokenMint).toLowerCase() === asked,
  );
  when(filter.curated, (vault, asked) => isCurated(view, vault) === asked);
  when(filter.minTotalValueUsd, (vault, asked) => atLeast(totalValue(view, vault)?.usd ?? null, asked));
  when(filter.minCurrentApy, (vault, asked) => atLeast(currentYield(view, vault)?.total ?? null, asked));
  return tests;
}

function atLeast(value: Rational | null, least: Rational): boolean {
  return value !== null && value.compare(least) >= 0;
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
    case 'CURRENT_APY':
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
