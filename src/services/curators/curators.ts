import { readText } from '@sluice/protocol/layout/codec';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { CatalogueCurator } from '../../config/catalogue/format.ts';
import { totalIfKnown } from '../../domain/arithmetic.ts';
import { resembles } from '../../domain/name-resemblance.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { sortedBy } from '../paging/sorting.ts';
import { perView, viewCache } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { sortVaults } from '../vaults/list.ts';
import { totalValue, vaultFees } from '../vaults/vaults.ts';

/** Whoever controls vaults: an entry of the catalogue, or an admin authority that no entry names. */
export interface Curator {
  /** The first of its admin authorities. */
  readonly address: Address;
  readonly authorities: readonly Address[];
  /** Null for one that no entry names. */
  readonly entry: CatalogueCurator | null;
  /** Most valuable first. */
  readonly vaults: readonly VaultRecord[];
}

/** All curators by each of their admin authorities. */
const byAuthority = viewCache<ReadonlyMap<Address, Curator>>();

function curatorsOf(view: View): ReadonlyMap<Address, Curator> {
  const known = byAuthority.get(view);
  if (known !== undefined) return known;
  const { curators: entries } = Valuation.of(view).catalogue;
  const vaults = new Map<Address, VaultRecord[]>();
  for (const vault of view.all('vault').values()) {
    const { vaultAdminAuthority: admin } = vault.value;
    const of = entries.get(admin)?.adminAuthorities[0] ?? admin;
    const listed = vaults.get(of);
    if (listed === undefined) vaults.set(of, [vault]);
    else listed.push(vault);
  }
  const curators = new Map<Address, Curator>();
  for (const address of new Set([...vaults.keys(), ...entries.keys()])) {
    const entry = entries.get(address) ?? null;
    const authorities = entry?.adminAuthorities ?? [address];
    if (authorities[0] !== address) continue;
    const curator = { address, authorities, entry, vaults: sortVaults(view, vaults.get(address) ?? []) };
    for (const each of authorities) curators.set(each, curator);
  }
  byAuthority.set(view, curators);
  return curators;
}

/**
 * The curator with an admin authority.
 *
 * @throws CURATOR_NOT_FOUND when the address controls no vault and no entry of the catalogue names it
 */
export function curatorInView(view: View, address: Address): Curator {
  const found = curatorsOf(view).get(address);
  if (found === undefined) throw new SluiceError('CURATOR_NOT_FOUND', { curator: address });
  return found;
}

export function curatorOfVault(view: View, { value }: VaultRecord): Curator {
  return curatorInView(view, value.vaultAdminAuthority);
}

/** The curator of the catalogue whose name the vault's own name contains, or seems to, although another runs the vault. */
export const resembledCurator = perView((view: View, { value }: VaultRecord): Curator | null => {
  const { curators: entries } = Valuation.of(view).catalogue;
  const own = entries.get(value.vaultAdminAuthority);
  const name = readText(value.name);
  const resembled = [...new Set(entries.values())]
    .filter((entry) => entry !== own && resembles(name, entry.name))
    .sort((a, b) => b.name.length - a.name.length);
  const [address] = resembled[0]?.adminAuthorities ?? [];
  return address === undefined ? null : curatorInView(view, address);
});

export interface CuratorTotals {
  /** Null when the value of a vault is unknown; so are all others. */
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

const sumOf = (amounts: readonly (TokenAmount | null)[]): CuratorTotals => ({
  usd: totalIfKnown(amounts.map((each) => inCurrency(each, 'usd'))),
  sol: totalIfKnown(amounts.map((each) => inCurrency(each, 'sol'))),
});

/** Nothing is worth nothing, also without a price. */
function inCurrency(amount: TokenAmount | null, currency: 'usd' | 'sol'): Rational | null {
  return amount?.baseUnits.isZero === true ? amount.baseUnits : (amount?.[currency] ?? null);
}

/** Total value of the vaults, which belongs to their shareholders. */
export const curatorValue = perView(
  (view: View, { vaults }: Curator): CuratorTotals => sumOf(vaults.map((vault) => totalValue(view, vault))),
);

export interface CuratorFees {
  readonly performance: CuratorTotals;
  readonly management: CuratorTotals;
  /** Charged and not withdrawn, or not charged yet. */
  readonly pending: CuratorTotals;
}

/** Fees since the vaults were created, at the prices of the View. */
export const curatorFees = perView((view: View, { vaults }: Curator): CuratorFees => {
  const fees = vaults.map((vault) => vaultFees(view, vault));
  return {
    performance: sumOf(fees.map(({ cumulativePerformance }) => cumulativePerformance)),
    management: sumOf(fees.map(({ cumulativeManagement }) => cumulativeManagement)),
    pending: sumOf(fees.map(({ pending }) => pending)),
  };
});

export interface CuratorFilter {
  readonly addresses?: readonly Address[] | null | undefined;
  readonly verified?: boolean | null | undefined;
  /** Case-insensitive; matches names of the catalogue alone. */
  readonly nameContains?: string | null | undefined;
  readonly minValueUsd?: Rational | null | undefined;
}

/** Curators that match the filter, largest value first, an unknown value last. */
export function listCurators(view: View, filter: CuratorFilter = {}): Curator[] {
  const all = curatorsOf(view);
  const named = filter.addresses;
  const some = named ? named.flatMap((address) => all.get(address) ?? []) : all.values();
  const part = filter.nameContains?.toLowerCase();
  const least = filter.minValueUsd ?? null;
  const passing = [...new Set(some)].filter(
    (curator) =>
      (filter.verified ?? curator.entry !== null) === (curator.entry !== null) &&
      (part === undefined || curator.entry?.name.toLowerCase().includes(part) === true) &&
      (least === null || (curatorValue(view, curator).usd?.compare(least) ?? -1) >= 0),
  );
  return sortedBy(passing, (curator) => curatorValue(view, curator).usd, 'DESC');
}

/** Cursors are valid for lists with an equal filter. */
export const curatorListKey = (filter: CuratorFilter): readonly unknown[] => ['curators', filter];
