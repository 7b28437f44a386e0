import { decodeLookupTable, usableLength } from '@sluice/protocol/lookup-table/lookup-table';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { EXPECTED_BYTES } from '../../chain/view/kinds.ts';
import type { View } from '../../chain/view/view.ts';
import { minimumSetCover } from '../../domain/minimum-set-cover.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { marketFacts } from '../markets/markets.ts';
import type { TableRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';

/** The addresses that a set of tables must cover. */
export interface CoverRequest {
  readonly addresses: readonly Address[];
  /** Accounts of the user among them. No shared table has them, so they need not be covered. */
  readonly userAccounts?: readonly Address[] | null | undefined;
  /** Whether to read the chosen tables from the chain, in case they were changed after the View. */
  readonly verify?: boolean | null | undefined;
}

/**
 * The fewest tables of the View that together have every address that any usable table of the View has: see
 * `minimumSetCover`. Ordered by address. Addresses that no table has are ignored.
 */
export async function coveringTables(session: Session, request: CoverRequest): Promise<TableRecord[]> {
  const own = new Set(request.userAccounts);
  const wanted = new Set(request.addresses.filter((address) => !own.has(address)));
  const tables = new Map(session.view.all('table'));
  const verified = new Set<Address>();
  for (;;) {
    const chosen = coverOf(session.view, [...tables.values()], wanted);
    const unverified = request.verify ? chosen.filter(({ address }) => !verified.has(address)) : [];
    if (unverified.length === 0) return chosen;
    // A table that has changed may lead to another choice.
    const read = await Promise.all(unverified.map(({ address }) => readTable(session, address)));
    for (const [i, { address }] of unverified.entries()) {
      verified.add(address);
      const table = read[i] ?? null;
      if (table === null) tables.delete(address);
      else tables.set(address, table);
    }
  }
}

function coverOf(view: View, tables: readonly TableRecord[], wanted: ReadonlySet<Address>): TableRecord[] {
  const ordered = tables.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const candidates = ordered.map((table) => {
    const slot = table.slot > view.moment.slot ? table.slot : view.moment.slot;
    const entries = table.value.addresses.slice(0, usableLength(table.value, slot));
    return { set: table, elements: new Set(entries.filter((entry) => wanted.has(entry))) };
  });
  return [...minimumSetCover(candidates).chosen];
}

/** A table as the chain has it now. Null when there is no such table any more. */
export async function readTable(session: Session, address: Address): Promise<TableRecord | null> {
  const account = await session.account(address, EXPECTED_BYTES.table);
  if (account === null) return null;
  try {
    return { ...account, value: decodeLookupTable(account) };
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

/**
 * The lookup table of a vault or a market; null when it has none.
 *
 * @throws ACCOUNT_NOT_FOUND when the address is neither
 */
export function managedTable({ view }: Session, product: Address): Address | null {
  const vault = view.find('vault', product);
  if (isCodedError(vault)) throw vault;
  if (vault !== undefined) return presentAddress(vault.value.vaultLookupTable);
  const market = view.find('market', product);
  if (isCodedError(market)) throw market;
  if (market !== undefined) return marketFacts(view, market).lookupTable;
  throw new SluiceError('ACCOUNT_NOT_FOUND', { account: 'vault or market', address: product });
}

/** A vault or market, and its lookup tables. */
export interface ManagedTables {
  readonly product: Address;
  readonly tables: readonly Address[];
}

/** The same for several addresses, in their order. One that is neither vault nor market has no tables. */
export function managedTables(session: Session, products: readonly Address[]): ManagedTables[] {
  return products.map((product) => ({ product, tables: tablesOrNone(session, product) }));
}

function tablesOrNone(session: Session, product: Address): Address[] {
  try {
    const table = managedTable(session, product);
    return table === null ? [] : [table];
  } catch (error) {
    if (isCodedError(error, 'ACCOUNT_NOT_FOUND')) return [];
    throw error;
  }
}

/** Kinds of products for which the platform keeps lookup tables. The gateway knows those of vaults and markets. */
export const PRODUCT_TYPES = ['swap_pair', 'vault', 'strategy', 'market', 'meta_vault'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** All products of a kind that have a table, ordered by address. */
export function managedTablesOf({ view }: Session, type: ProductType): ManagedTables[] {
  return productsOf(view, type)
    .filter(({ table }) => table !== null)
    .sort((a, b) => (a.product < b.product ? -1 : 1))
    .map(({ product, table }) => ({ product, tables: table === null ? [] : [table] }));
}

function productsOf(view: View, type: ProductType) {
  if (type === 'vault') {
    return [...view.all('vault').values()].map(({ address, value }) => ({
      product: address,
      table: presentAddress(value.vaultLookupTable),
    }));
  }
  if (type === 'market') {
    return [...view.all('market').values()].map((market) => ({
      product: market.address,
      table: marketFacts(view, market).lookupTable,
    }));
  }
  return [];
}

/**
 * Refuses to register a lookup table for a vault, after both were found.
 *
 * @throws ACCOUNT_NOT_FOUND, LOOKUP_TABLES_READ_ONLY
 */
export async function refuseTable(session: Session, vault: Address, table: Address): Promise<never> {
  const found = await session.load('vault', vault);
  if ((await readTable(session, table)) === null) {
    throw new SluiceError('ACCOUNT_NOT_FOUND', { account: 'lookup table', address: table });
  }
  const own = presentAddress(found.value.vaultLookupTable);
  throw new SluiceError('LOOKUP_TABLES_READ_ONLY', { vault, table: own });
}
