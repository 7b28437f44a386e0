import { Decimal } from '@sluice/client';

/** Sum of USD values and how many of them are unknown and therefore missing in it. */
export interface UsdSum {
  readonly usd: string;
  readonly unknown: number;
}

export function sumUsd(values: readonly (string | null)[]): UsdSum {
  const known = values.filter((value) => value !== null).map((value) => Decimal.of(value));
  return { usd: Decimal.sum(known).toString(), unknown: values.length - known.length };
}

/** Number of loans at the newest recorded point. Null without one, and before the first hourly scan. */
export const loansOf = (market: {
  readonly metricsHistory: { readonly points: readonly { readonly obligations: number | null }[] } | null;
}): number | null => market.metricsHistory?.points.at(-1)?.obligations ?? null;
