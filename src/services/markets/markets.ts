import type { ElevationGroup as GroupAccount } from '@sluice/protocol/klend/lending-market';
import { readText } from '@sluice/protocol/layout/codec';
import { fromPercent } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { total } from '../../domain/arithmetic.ts';
import { elevationGroups, groupsOf } from '../../domain/elevation.ts';
import { closeFactor as closeFactorOf } from '../../domain/health.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { sortedBy } from '../paging/sorting.ts';
import { perView } from '../request/per-view.ts';
import type { MarketRecord, ReserveRecord } from '../request/records.ts';
import { sortReserves } from '../reserves/list.ts';
import { borrowed, supplied } from '../reserves/reserves.ts';
import { Valuation } from '../tokens/valuation.ts';

/** A market of the View. Throws a coded error when it does not exist or could not be read. */
export function marketInView(view: View, address: Address): MarketRecord {
  const found = view.find('market', address);
  if (found === undefined) throw new SluiceError('KLEND_MARKET_NOT_FOUND', { market: address });
  if (isCodedError(found)) throw found;
  return found;
}

/** Facts from the account, and those that are not on chain from the catalogue. */
export interface MarketFacts {
  /** That of the account, or else of the catalogue. Empty when neither has one. */
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  /** Null when unknown: it is not stored on chain. */
  readonly lookupTable: Address | null;
}

export const marketFacts = perView((view: View, { address, value }: MarketRecord): MarketFacts => {
  const known = Valuation.of(view).catalogue.markets.get(address);
  return {
    name: readText(value.name) || (known?.name ?? ''),
    description: known?.description ?? '',
    isPrimary: known?.isPrimary ?? false,
    isCurated: known?.isCurated ?? false,
    lookupTable: known?.lookupTable ?? null,
  };
});

/** Whether borrowing is currently disabled in the market. */
export function borrowingDisabled({ value }: MarketRecord): boolean {
  return value.borrowDisabled !== 0 || value.emergencyMode !== 0;
}

/** Whether the market accepts no action at all. */
export function isInEmergency({ value }: MarketRecord): boolean {
  return value.emergencyMode !== 0;
}

/** The fraction of a debt that one liquidation may close. */
export function closeFactor({ value }: MarketRecord): Rational {
  return closeFactorOf(value);
}

/** The reserves of a market, largest supply first. */
export const reservesOfMarket = perView((view: View, market: MarketRecord): readonly ReserveRecord[] => {
  return sortReserves(view, view.reservesOfMarket(market.address));
});

/** A set of reserves with better borrowing terms among each other. */
export interface ElevationGroup {
  readonly market: MarketRecord;
  readonly number: number;
  readonly account: GroupAccount;
  readonly maxLtv: Rational;
  readonly liquidationLtv: Rational;
  readonly allowsNewLoans: boolean;
}

function asGroup(market: MarketRecord, account: GroupAccount): ElevationGroup {
  return {
    market,
    number: account.id,
    account,
    maxLtv: fromPercent(account.ltvPct),
    liquidationLtv: fromPercent(account.liquidationThresholdPct),
    allowsNewLoans: account.allowNewLoans !== 0,
  };
}

export function groupsOfMarket(market: MarketRecord): ElevationGroup[] {
  return elevationGroups(market.value).map((account) => asGroup(market, account));
}

/** The groups of a reserve; empty when its market could not be read. */
export function groupsOfReserve(view: View, reserve: ReserveRecord): ElevationGroup[] {
  const market = view.get('market', reserve.value.lendingMarket);
  if (market === undefined) return [];
  const numbers = new Set(groupsOf(reserve.value));
  return groupsOfMarket(market).filter(({ number }) => numbers.has(number));
}

/** The collateral reserves of a group: all members but the debt reserve. */
export function collateralOfGroup(view: View, { market, number, account }: ElevationGroup): ReserveRecord[] {
  return reservesOfMarket(view, market).filter(
    ({ address, value }) => address !== account.debtReserve && groupsOf(value).includes(number),
  );
}

/** USD over all reserves of a market. */
export interface MarketTotals {
  /** Null when a non-empty reserve has no price; so is `borrowedUsd`. */
  readonly suppliedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
  readonly reserves: number;
}

export const marketTotals = perView((view: View, market: MarketRecord): MarketTotals => {
  const reserves = view.reservesOfMarket(market.address);
  return {
    suppliedUsd: sumKnown(reserves.map((reserve) => supplied(view, reserve))),
    borrowedUsd: sumKnown(reserves.map((reserve) => borrowed(view, reserve))),
    reserves: reserves.length,
  };
});

function sumKnown(
  amounts: readonly { readonly usd: Rational | null; readonly baseUnits: Rational }[],
): Rational | null {
  const values: Rational[] = [];
  for (const { usd, baseUnits } of amounts) {
    if (usd !== null) values.push(usd);
    else if (!baseUnits.isZero) return null;
  }
  return total(values);
}

export interface MarketFilter {
  readonly addresses?: readonly Address[] | null | undefined;
  readonly primary?: boolean | null | undefined;
  readonly curated?: boolean | null | undefined;
  /** Case-insensitive. */
  readonly nameContains?: string | null | undefined;
}

function matches(view: View, market: MarketRecord, filter: MarketFilter): boolean {
  const { name, isPrimary, isCurated } = marketFacts(view, market);
  return (
    (filter.addresses?.includes(market.address) ?? true) &&
    (filter.primary ?? isPrimary) === isPrimary &&
    (filter.curated ?? isCurated) === isCurated &&
    name.toLowerCase().includes(filter.nameContains?.toLowerCase() ?? '')
  );
}

/** Markets of the View that match the filter, largest supply first. */
export function listMarkets(view: View, filter: MarketFilter = {}): MarketRecord[] {
  const passing = [...view.all('market').values()].filter((market) => matches(view, market, filter));
  return sortedBy(passing, (market) => marketTotals(view, market).suppliedUsd, 'DESC');
}
