import type { View } from '../chain/view.ts';
import { total } from '../domain/arithmetic.ts';
import { elevationGroups, groupsOf } from '../domain/elevation.ts';
import { fromPercent } from '../numeric/fraction.ts';
import type { Rational } from '../numeric/rational.ts';
import type { ElevationGroup as GroupAccount } from '../programs/klend/lending-market.ts';
import { readText } from '../programs/layout/codec.ts';
import type { MarketRecord, ReserveRecord } from './records.ts';
import { borrowed, byAddress, byValue, supplied } from './reserves.ts';

/** What a market is called: by its account. */
export function marketName({ value }: MarketRecord): string {
  return readText(value.name);
}

/** Whether nobody can borrow in the market at present. */
export function borrowingDisabled({ value }: MarketRecord): boolean {
  return value.borrowDisabled !== 0 || value.emergencyMode !== 0;
}

/** The reserves of a market, largest supply first. */
export function reservesOfMarket(view: View, market: MarketRecord): readonly ReserveRecord[] {
  return [...view.reservesOfMarket(market.address)].sort(
    (a, b) => byValue(supplied(view, a), supplied(view, b)) || byAddress(a, b),
  );
}

/** A set of reserves between which more may be borrowed. */
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

/** The groups that a reserve is part of; none when its market cannot be read. */
export function groupsOfReserve(view: View, reserve: ReserveRecord): ElevationGroup[] {
  const market = view.get('market', reserve.value.lendingMarket);
  if (market === undefined) return [];
  const numbers = new Set(groupsOf(reserve.value));
  return groupsOfMarket(market).filter(({ number }) => numbers.has(number));
}

/** Reserves that count as collateral in a group: all of it but the one that is borrowed. */
export function collateralOfGroup(view: View, { market, number, account }: ElevationGroup): ReserveRecord[] {
  return reservesOfMarket(view, market).filter(
    ({ address, value }) => address !== account.debtReserve && groupsOf(value).includes(number),
  );
}

/** USD over all reserves of a market. */
export interface MarketTotals {
  /** Null when a reserve that holds something has no price, as is the next. */
  readonly suppliedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
  readonly reserves: number;
}

export function marketTotals(view: View, market: MarketRecord): MarketTotals {
  const reserves = view.reservesOfMarket(market.address);
  return {
    suppliedUsd: sumKnown(reserves.map((reserve) => supplied(view, reserve))),
    borrowedUsd: sumKnown(reserves.map((reserve) => borrowed(view, reserve))),
    reserves: reserves.length,
  };
}

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

/** Markets of the View, most supplied first. */
export function listMarkets(view: View): readonly MarketRecord[] {
  const worth = new Map(
    [...view.all('market').values()].map(
      (market) => [market, marketTotals(view, market).suppliedUsd] as const,
    ),
  );
  return [...worth.keys()].sort((a, b) => {
    const [left, right] = [worth.get(a) ?? null, worth.get(b) ?? null];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || byAddress(a, b);
    return right.compare(left) || byAddress(a, b);
  });
}
