import { Decimal, type VariablesOf } from '@sluice/client';
import type { MARKET_HEAT } from './heat-documents.ts';

export type MarketShock = VariablesOf<typeof MARKET_HEAT>['shocks'][number];

/** Changes of a price in percent: the columns of the map. */
export const CHANGES = ['-5', '-10', '-20', '-30', '-50'] as const;

export type Change = (typeof CHANGES)[number];

/** The key of the row of every token that is not near a dollar. */
export const ALL_TOKENS = 'all';

/** The gateway takes 100 shocks at once; one row is that of all tokens. */
const MOST_TOKENS = 100 / CHANGES.length - 1;

/** A token that backs loans. */
export interface ShockToken {
  readonly mint: string;
  readonly symbol: string;
  /** Its price is within five percent of one dollar, so that it does not move with the others. */
  readonly nearDollar: boolean;
}

export interface Shockable {
  readonly elevationGroups: readonly {
    readonly collateralReserves: readonly { readonly address: string }[];
  }[];
  readonly reserves: readonly {
    readonly address: string;
    readonly status: string;
    readonly token: { readonly mint: string; readonly symbol: string };
    readonly price: { readonly usd: string } | null;
    readonly risk: { readonly liquidationLtv: string };
  }[];
}

/** Addresses of the reserves whose deposits back no loan, by their own terms or in a group. */
function unacceptedReserves({ reserves, elevationGroups }: Shockable): ReadonlySet<string> {
  const grouped = new Set(
    elevationGroups.flatMap(({ collateralReserves }) => collateralReserves.map(({ address }) => address)),
  );
  return new Set(
    reserves
      .filter(({ address, risk }) => Decimal.of(risk.liquidationLtv).isZero && !grouped.has(address))
      .map(({ address }) => address),
  );
}

/** Tokens that count as collateral by the terms of their reserve or in a group, each once. */
export function shockTokens(market: Shockable): readonly ShockToken[] {
  const unaccepted = unacceptedReserves(market);
  const tokens = new Map<string, ShockToken>();
  for (const { address, token, price } of market.reserves) {
    if (unaccepted.has(address) || tokens.has(token.mint)) continue;
    tokens.set(token.mint, {
      mint: token.mint,
      symbol: token.symbol,
      nearDollar: price !== null && isNearDollar(price.usd),
    });
  }
  return [...tokens.values()];
}

/** Symbols of listed tokens that no loan can be backed with. */
export function unacceptedSymbols(market: Shockable): readonly string[] {
  const accepted = new Set(shockTokens(market).map(({ mint }) => mint));
  const others = market.reserves.filter(
    ({ status, token }) => status === 'ACTIVE' && !accepted.has(token.mint),
  );
  return [...new Set(others.map(({ token }) => token.symbol))];
}

export function isNearDollar(usd: string): boolean {
  const price = Decimal.of(usd);
  return price.compare(Decimal.of('0.95')) >= 0 && price.compare(Decimal.of('1.05')) <= 0;
}

/** A row of the map: one token, or all that are not near a dollar. */
export interface HeatRow {
  readonly key: string;
  readonly name: string;
  /** Those that fall. */
  readonly mints: readonly string[];
}

/** The rows of a market in the order of its reserves, largest supply first, after that of all tokens. */
export function heatRows(tokens: readonly ShockToken[]): readonly HeatRow[] {
  const moving = tokens.filter(({ nearDollar }) => !nearDollar);
  return [
    { key: ALL_TOKENS, name: 'All but dollars', mints: moving.map(({ mint }) => mint) },
    ...tokens.slice(0, MOST_TOKENS).map(({ mint, symbol }) => ({ key: mint, name: symbol, mints: [mint] })),
  ];
}

/** −30%, with the sign of a minus. */
export const changeText = (change: string): string => `${change.replace('-', '\u2212')}%`;

export const shockOf = ({ name, mints }: HeatRow, changePct: Change): MarketShock => ({
  label: `${name} ${changeText(changePct)}`,
  prices: mints.map((mint) => ({ mint, changePct })),
});

/** All cells in one list, row by row: the gateway answers in this order. */
export const shocksOf = (rows: readonly HeatRow[]): readonly MarketShock[] =>
  rows.flatMap((row) => CHANGES.map((change) => shockOf(row, change)));
