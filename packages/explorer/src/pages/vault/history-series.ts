import { pixelsOf } from '../../lending/columns.ts';
import { APY_SOURCES } from '../../ui/apy-sources.ts';
import type { VaultPoint } from './vault-documents.ts';

/** Unit of values and share prices: USD at the prices of the time, or tokens of the vault. */
export type HistoryUnit = 'usd' | 'token';

type Measured = Pick<VaultPoint, 'totalValue' | 'totalValueUsd' | 'tokensPerShare' | 'sharePriceUsd'>;

export const valueSeries = (points: readonly Measured[], unit: HistoryUnit) => [
  {
    label: 'Value',
    color: '--series-1',
    filled: true,
    values: pixelsOf(points, ({ totalValue, totalValueUsd }) =>
      unit === 'usd' ? totalValueUsd : totalValue,
    ),
  },
];

export const sharePriceSeries = (points: readonly Measured[], unit: HistoryUnit) => [
  {
    label: 'Share price',
    color: '--series-6',
    values: pixelsOf(points, ({ sharePriceUsd, tokensPerShare }) =>
      unit === 'usd' ? sharePriceUsd : tokensPerShare,
    ),
  },
];

/** Bands of the sources that paid something in the range, interest always, and the total as a line along the top. */
export const apySeries = (points: readonly Pick<VaultPoint, 'apy'>[]) => [
  ...APY_SOURCES.filter(({ field }) => field === 'base' || points.some(({ apy }) => apy[field] !== '0')).map(
    ({ field, label, color }) => ({
      label,
      color,
      stacked: true,
      values: pixelsOf(points, ({ apy }) => apy[field]),
    }),
  ),
  { label: 'Total', color: '--text', values: pixelsOf(points, ({ apy }) => apy.total) },
];

/** Whether a chart has something to draw. */
export const isKnown = (series: readonly { readonly values: readonly (number | null)[] }[]): boolean =>
  series.some(({ values }) => values.some((value) => value !== null));
