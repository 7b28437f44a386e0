import { Decimal, type VariablesOf } from '@sluice/client';
import type { MARKET_RISK } from './risk-documents.ts';

export type MarketShock = VariablesOf<typeof MARKET_RISK>['shocks'][number];

/** Changes of a price in percent, as the heading of a row and as the input. */
const CHANGES = ['-5', '-10', '-20', '-30', '-50'] as const;

/** The choice of every token that can move. */
export const ALL_TOKENS = 'all';

/** A token that backs loans. */
export interface ShockToken {
  readonly mint: string;
  readonly symbol: string;
  /** Its price is within five percent of one dollar, so that it does not move with the others. */
  readonly nearDollar: boolean;
}

interface Shockable {
  readonly elevationGroups: readonly {
    readonly collateralReserves: readonly { readonly address: string }[];
  }[];
  readonly reserves: readonly {
    readonly address: string;
    readonly token: { readonly mint: string; readonly symbol: string };
    readonly price: { readonly usd: string } | null;
    readonly risk: { readonly liquidationLtv: string };
  }[];
}

/** Tokens that count as collateral by the terms of their reserve or in a group, each once. */
export function shockTokens({ reserves, elevationGroups }: Shockable): readonly ShockToken[] {
  const grouped = new Set(
    elevationGroups.flatMap(({ collateralReserves }) => collateralReserves.map(({ address }) => address)),
  );
  const tokens = new Map<string, ShockToken>();
  for (const { address, token, price, risk } of reserves) {
    if (Decimal.of(risk.liquidationLtv).isZero && !grouped.has(address)) continue;
    if (tokens.has(token.mint)) continue;
    tokens.set(token.mint, {
      mint: token.mint,
      symbol: token.symbol,
      nearDollar: price !== null && isNearDollar(price.usd),
    });
  }
  return [...tokens.values()];
}

function isNearDollar(usd: string): boolean {
  const price = Decimal.of(usd);
  return price.compare(Decimal.of('0.95')) >= 0 && price.compare(Decimal.of('1.05')) <= 0;
}

/** The falls of one token, or of all that are not near a dollar. */
export function shocksOf(tokens: readonly ShockToken[], choice: string): readonly MarketShock[] {
  const moved = tokens.filter(({ mint, nearDollar }) =>
    choice === ALL_TOKENS ? !nearDollar : mint === choice,
  );
  return CHANGES.map((changePct) => ({
    label: `${changePct}%`,
    prices: moved.map(({ mint }) => ({ mint, changePct })),
  }));
}

/** Depth of the colour of a value, 0 to 1. */
export function heatOf(value: string, most: string): number {
  const all = Decimal.of(most).toApproximateNumber();
  if (all <= 0) return 0;
  return Math.min(1, Math.max(0, Decimal.of(value).toApproximateNumber() / all));
}

/** The largest of some decimals. 0 when all are below it. */
export const greatest = (values: readonly string[]): string =>
  values.reduce((most, value) => (Decimal.of(value).compare(Decimal.of(most)) > 0 ? value : most), '0');

/** A part of a count as a fraction, cut to a hundredth of a percent. */
export const partOf = (count: number, all: number): string =>
  all === 0 ? '0' : Decimal.fromBaseUnits((BigInt(count) * 10_000n) / BigInt(all), 4).toString();

/** A range of days until the end of a debt in words. */
export function endWords({
  fromDays,
  toDays,
}: {
  readonly fromDays: number | null;
  readonly toDays: number | null;
}): string {
  if (fromDays === null) return 'Ended';
  if (toDays === null) return `In more than ${fromDays} days`;
  if (fromDays === 0) return toDays === 1 ? 'Within a day' : `Within ${toDays} days`;
  return `In ${fromDays} to ${toDays} days`;
}

/** A range of health factors in words. A bound is null when there is none. */
export function rangeWords({
  from,
  to,
}: {
  readonly from: string | null;
  readonly to: string | null;
}): string {
  if (from === null) return to === null ? 'Any' : `Below ${to}`;
  return to === null ? `${from} and above` : `${from} to ${to}`;
}
