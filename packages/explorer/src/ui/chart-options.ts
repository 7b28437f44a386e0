import uPlot from 'uplot';
import { dateTime, day } from '../format/dates.ts';
import { resolvedColor } from './chart-colors.ts';
import type { ChartProps, ChartSeries } from './chart-props.ts';
import { bandsOf } from './stack.ts';

interface Drawing extends Required<Pick<ChartProps, 'series' | 'format' | 'time' | 'height' | 'fromZero'>> {
  /** Null: dates. */
  readonly formatX: ((value: number) => string) | null;
  /** Value of a series, by its position, at a horizontal position: what the legend shows. */
  readonly valueAt: (position: number, index: number) => number | null;
}

const NONE = 'None';
const DAY_SECONDS = 86_400;

const dateOf = (seconds: number): Date => new Date(seconds * 1_000);
/** Within a day the axis has hours. */
const dayOf = (seconds: number): string =>
  seconds % DAY_SECONDS === 0 ? day(dateOf(seconds), new Date()) : momentOf(seconds);
const momentOf = (seconds: number): string => dateTime(dateOf(seconds), new Date());
/** Room for `$123.4M`. */
const VALUE_AXIS_PX = 68;

/** Axes, grid and series in the colours of the theme. */
export function chartOptions(element: HTMLElement, drawing: Drawing): uPlot.Options {
  const { series, format, formatX, time, height, fromZero } = drawing;
  // An area that does not stand on zero exaggerates. Lines may be cut.
  const isArea = fromZero || series.some((one) => one.stacked === true || one.filled === true);
  const line = resolvedColor(element, 'var(--line)');
  const axis: uPlot.Axis = {
    stroke: resolvedColor(element, 'var(--text-2)'),
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    scales: {
      x: { time },
      ...(isArea ? { y: { range: (_, low, high) => bandRange(low, high) } } : {}),
    },
    bands: bandsOf(series).map(([upper, lower]) => ({ series: [upper + 1, lower + 1] })),
    cursor: { points: { size: 6 } },
    ...(time ? { hooks: { setLegend: [showNewest] } } : {}),
    axes: [
      { ...axis, values: (_, splits) => splits.map((split) => (formatX ?? dayOf)(split)), space: 72 },
      { ...axis, size: VALUE_AXIS_PX, values: (_, splits) => splits.map((split) => format(split)) },
    ],
    series: [
      formatX === null
        ? { label: 'Time', value: (_, value) => (value === null ? NONE : momentOf(value)) }
        : { label: 'At', value: (_, value) => (value === null ? NONE : formatX(value)) },
      ...series.map((one) => seriesOptions(element, one, drawing)),
    ],
  };
}

/** Areas stand on zero. Where they have no height, the scale is that of a whole. */
function bandRange(low: number, high: number): uPlot.Range.MinMax {
  return low === 0 && high === 0 ? [0, 1] : uPlot.rangeNum(Math.min(0, low), high, 0.1, true);
}

/** Without a cursor, the legend of a time series has its newest values. */
function showNewest(plot: uPlot): void {
  if (plot.legend.idx === null || plot.legend.idx === undefined)
    plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

function seriesOptions(
  element: HTMLElement,
  { label, color, filled = false, dashed = false, points = false, stacked = false }: ChartSeries,
  { format, valueAt }: Pick<Drawing, 'format' | 'valueAt'>,
): uPlot.Series {
  const stroke = resolvedColor(element, `var(${color})`);
  return {
    label,
    stroke,
    width: points ? 0 : 1.75,
    ...(dashed ? { dash: [6, 4] } : {}),
    points: points ? { show: true, size: 11, fill: stroke } : { show: false },
    ...(filled || stacked ? { fill: mixed(element, color, stacked ? 45 : 14) } : {}),
    value: (_plot, _height, position, index) => {
      const value = index === null ? null : valueAt(position - 1, index);
      return value === null ? NONE : format(value);
    },
  };
}

const mixed = (element: HTMLElement, color: string, percent: number): string =>
  resolvedColor(element, `color-mix(in srgb, var(${color}) ${percent}%, transparent)`);
