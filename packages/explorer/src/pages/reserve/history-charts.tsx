import { type ReactNode, useId, useMemo } from 'react';
import { formatPercent, formatPrice, formatUsd } from '../../lending/chart-formats.ts';
import { pixelsOf, secondsOf } from '../../lending/columns.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartSeries } from '../../ui/chart-props.ts';
import type { ReservePoint } from './reserve-documents.ts';

type Field = (point: ReservePoint) => string | null;

interface Drawing {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly lines: readonly (Pick<ChartSeries, 'label' | 'color' | 'filled'> & { readonly field: Field })[];
}

const DRAWINGS: readonly Drawing[] = [
  {
    title: 'Supplied and borrowed',
    format: formatUsd,
    lines: [
      { label: 'Supplied', color: '--series-1', filled: true, field: ({ suppliedUsd }) => suppliedUsd },
      { label: 'Borrowed', color: '--series-3', filled: true, field: ({ borrowedUsd }) => borrowedUsd },
    ],
  },
  {
    title: 'Interest APY',
    format: formatPercent,
    lines: [
      { label: 'Supply', color: '--series-2', field: ({ supplyInterestApy }) => supplyInterestApy },
      { label: 'Borrow', color: '--series-1', field: ({ borrowInterestApy }) => borrowInterestApy },
    ],
  },
  {
    title: 'Utilization',
    format: formatPercent,
    lines: [
      { label: 'Utilization', color: '--series-4', filled: true, field: ({ utilization }) => utilization },
    ],
  },
  {
    title: 'Price',
    format: formatPrice,
    lines: [{ label: 'Price', color: '--series-6', field: ({ priceUsd }) => priceUsd }],
  },
];

export function HistoryCharts({ points }: { readonly points: readonly ReservePoint[] }): ReactNode {
  const xs = useMemo(() => secondsOf(points), [points]);
  return (
    <div className="columns">
      {DRAWINGS.map((drawing) => (
        <HistoryChart key={drawing.title} drawing={drawing} points={points} xs={xs} />
      ))}
    </div>
  );
}

interface HistoryChartProps {
  readonly drawing: Drawing;
  readonly points: readonly ReservePoint[];
  readonly xs: readonly number[];
}

function HistoryChart({ drawing: { title, format, lines }, points, xs }: HistoryChartProps): ReactNode {
  const heading = useId();
  const series = useMemo(
    () => lines.map(({ field, ...line }) => ({ ...line, values: pixelsOf(points, field) })),
    [lines, points],
  );
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <Chart label={`${title} over time`} xs={xs} series={series} format={format} height={200} />
    </section>
  );
}
