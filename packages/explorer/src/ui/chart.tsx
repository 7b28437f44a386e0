import { type ReactNode, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions } from './chart-options.ts';
import { chartSummary } from './chart-summary.ts';
import { heightsOf } from './stack.ts';
import { Empty } from './states.tsx';
import { useColorScheme } from './theme.ts';

export interface ChartSeries {
  readonly label: string;
  /** One number per horizontal position; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** A custom property of the theme, for example `--series-1`. */
  readonly color: string;
  /** Paints the area below the line. */
  readonly filled?: boolean;
  /** Draws points instead of a line, for example today's state on a curve. */
  readonly points?: boolean;
  /** A band on top of the stacked series before it. The legend has its own value, not its height. */
  readonly stacked?: boolean;
}

export interface ChartProps {
  /** Content of the chart, for screen readers. */
  readonly label: string;
  /** Horizontal positions in ascending order: seconds since the Unix epoch, or numbers when `time` is false. */
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  readonly time?: boolean;
  readonly formatX?: (value: number) => string;
  readonly height?: number;
  /** Shown when there are no positions. */
  readonly empty?: ReactNode;
}

const NOTHING = 'Nothing has been recorded in this range.';

/** A line chart. It draws floats: the exact values are in the table or the figures beside it. */
export function Chart(props: ChartProps): ReactNode {
  return props.xs.length === 0 ? <Empty>{props.empty ?? NOTHING}</Empty> : <Plot {...props} />;
}

function Plot({ label, xs, series, format, time = true, formatX, height = 240 }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const scheme = useColorScheme();
  // Functions and data of the newest render. They change without the plot being made again.
  const newest = useRef({ xs, series, format, formatX });
  newest.current = { xs, series, format, formatX };
  const shape = JSON.stringify(series.map(({ values: _, ...shown }) => shown));
  const hasFormatX = formatX !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` and `scheme` stand for the series and the colours.
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const options = chartOptions(element, {
      series,
      time,
      height,
      valueAt: (position, index) => newest.current.series[position]?.values[index] ?? null,
      format: (value) => newest.current.format(value),
      formatX: hasFormatX ? (value) => newest.current.formatX?.(value) ?? '' : null,
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
  }, [shape, scheme, time, hasFormatX, height]);
  useEffect(() => {
    plot.current?.setData(columnsOf({ xs, series }));
    // The newest position has changed, and the one in the legend may be gone.
    if (time) plot.current?.setLegend({ idx: xs.length - 1 });
  }, [xs, series, time]);
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
