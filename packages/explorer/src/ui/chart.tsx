import { type ReactNode, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions } from './chart-options.ts';
import type { ChartProps } from './chart-props.ts';
import { chartSummary } from './chart-summary.ts';
import { heightsOf } from './stack.ts';
import { Empty } from './states.tsx';
import { useColorScheme } from './theme.ts';

const NOTHING = 'Nothing has been recorded in this range.';

/** A line chart. It draws floats: the exact values are in the table or the figures beside it. */
export function Chart(props: ChartProps): ReactNode {
  return props.xs.length === 0 ? <Empty>{props.empty ?? NOTHING}</Empty> : <Plot {...props} />;
}

function Plot({
  label,
  xs,
  series,
  format,
  time = true,
  formatX,
  height = 240,
  flags,
  fromZero = false,
}: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const scheme = useColorScheme();
  // Functions and data of the newest render. They change without the plot being made again.
  const newest = useRef({ xs, series, format, formatX, flags });
  newest.current = { xs, series, format, formatX, flags };
  const shape = JSON.stringify(series.map(({ values: _, ...shown }) => shown));
  const hasFormatX = formatX !== undefined;
  const hasFlags = flags !== undefined && flags.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` and `scheme` stand for the series and the colours.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const options = chartOptions(element, {
      series,
      time,
      height,
      fromZero,
      valueAt: (position, index) => newest.current.series[position]?.values[index] ?? null,
      format: (value) => newest.current.format(value),
      formatX: hasFormatX ? (value) => newest.current.formatX?.(value) ?? '' : null,
      flags: hasFlags ? () => newest.current.flags ?? [] : null,
    });
    const made = new uPlot(options, columnsOf(newest.current), element);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, scheme, time, hasFormatX, hasFlags, height, fromZero]);
  useEffect(() => {
    plot.current?.setData(columnsOf({ xs, series }));
    // The newest position has changed, and the one in the legend may be gone.
    if (time) plot.current?.setLegend({ idx: xs.length - 1 });
  }, [xs, series, time]);
  useEffect(() => {
    if (flags !== undefined) plot.current?.redraw(false);
  }, [flags]);
  return (
    <figure className="chart">
      <div ref={box} role="img" aria-label={label} style={{ minBlockSize: height }} />
      <figcaption className="visually-hidden">
        {chartSummary({ xs, series, format, time, formatX })}
      </figcaption>
    </figure>
  );
}

const columnsOf = ({ xs, series }: Pick<ChartProps, 'xs' | 'series'>): uPlot.AlignedData => [
  [...xs],
  ...heightsOf(series).map((heights) => [...heights]),
];
