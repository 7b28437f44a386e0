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

/** Bands of the sources that paid something in the range, interest always: their top is the whole yield. */
export const apySeries = (points: readonly Pick<VaultPoint, 'apy'>[]) =>
  APY_SOURCES.filter(({ field }) => field === 'base' || points.some(({ apy }) => apy[field] !== '0')).map(
    ({ field, label, color }) => ({
      label,
      color,
      stacked: true,
      values: pixelsOf(points, ({ apy }) => apy[field]),
    }),
  );

const DAY_SECONDS = 86_400;
const REALISED_SECONDS = 30 * DAY_SECONDS;
const YEAR_SECONDS = 365 * DAY_SECONDS;

/**
 * Interest that shareholders earned over the 30 days before each point, per year: a line to set against what was promised.
 * For pixels: the figure above the chart is the gateway's. Unknown until the range has 30 days.
 */
export function realisedSeries(points: readonly Pick<VaultPoint, 'timestamp' | 'tokensPerShare'>[]) {
  const times = points.map(({ timestamp }) => Date.parse(timestamp) / 1_000);
  const prices = pixelsOf(points, ({ tokensPerShare }) => tokensPerShare);
  let before = 0;
  const values = times.map((time, index) => {
    while ((times[before + 1] ?? Number.POSITIVE_INFINITY) <= time - REALISED_SECONDS) before += 1;
    const seconds = time - (times[before] ?? time);
    const [first, last] = [prices[before] ?? 0, prices[index] ?? 0];
    if (seconds < REALISED_SECONDS || first <= 0 || last <= 0) return null;
    return (last / first) ** (YEAR_SECONDS / seconds) - 1;
  });
  return { label: 'Interest realised', color: '--text', dashed: true, values };
}

type Placed = Pick<VaultPoint, 'totalValueUsd' | 'reserves'>;

const COLOURS = 6;

/** Where the value of a vault was over time: bands by reserve, the largest of the newest point first, and what was not lent. */
export function placeSeries(
  points: readonly Placed[],
  unit: 'usd' | 'part',
  names: ReadonlyMap<string, string>,
) {
  const shares = points.map(
    ({ reserves }) => new Map(reserves.map(({ reserveAddress, share }) => [reserveAddress, Number(share)])),
  );
  const newest = new Map<string, number>();
  for (const one of shares) for (const [address, share] of one) newest.set(address, share);
  const order = [...newest].sort((a, b) => b[1] - a[1]).map(([address]) => address);
  const wholes = points.map(({ totalValueUsd }) =>
    unit === 'part' ? 1 : totalValueUsd === null ? null : Number(totalValueUsd),
  );
  const band = (label: string, color: string, shareAt: (index: number) => number) => ({
    label,
    color,
    stacked: true,
    values: wholes.map((whole, index) => (whole === null ? null : Math.max(0, shareAt(index)) * whole)),
  });
  const named = order.slice(0, COLOURS);
  const shareOf = (index: number, addresses: readonly string[]) =>
    addresses.reduce((sum, address) => sum + (shares[index]?.get(address) ?? 0), 0);
  return [
    ...named.map((address, index) =>
      band(names.get(address) ?? address, `--series-${index + 1}`, (at) => shareOf(at, [address])),
    ),
    band(
      order.length > COLOURS ? 'Others, and not lent out' : 'Not lent out',
      '--series-7',
      (at) => 1 - shareOf(at, named),
    ),
  ];
}

/** Whether a chart has something to draw. */
export const isKnown = (series: readonly { readonly values: readonly (number | null)[] }[]): boolean =>
  series.some(({ values }) => values.some((value) => value !== null));
