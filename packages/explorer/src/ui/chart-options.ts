import uPlot from 'uplot';
import { dateTime, day } from '../format/dates.ts';
import { axisTexts } from './axis-texts.ts';
import { resolvedColor } from './chart-colors.ts';
import { drawFlags, FLAGS_PX } from './chart-flags.ts';
import type { ChartFlag, ChartProps, ChartSeries } from './chart-props.ts';
import { bandsOf } from './stack.ts';

interface Drawing extends Required<Pick<ChartProps, 'series' | 'format' | 'time' | 'height' | 'fromZero'>> {
  /** Null: dates. */
  readonly formatX: ((value: number) => string) | null;
  /** Value of a series, by its position, at a horizontal position: what the legend shows. */
  readonly valueAt: (position: number, index: number) => number | null;
  /** Those of the newest render. Null: the chart has none, and no room for them. */
  readonly flags: (() => readonly ChartFlag[]) | null;
}

const NONE = 'None';
/** Room for `$123.4M`. */
const VALUE_AXIS_PX = 68;

/** Axes, grid and series in the colours of the theme. */
export function chartOptions(element: HTMLElement, drawing: Drawing): uPlot.Options {
  const { series, format, formatX, time, height, flags, fromZero } = drawing;
  // An area that does not stand on zero exaggerates. Lines may be cut.
  const isBars = series.some(({ bars }) => bars !== undefined);
  const isArea = fromZero || isBars || series.some((one) => one.stacked === true || one.filled === true);
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
      x: { time, ...(isBars ? { range: barRange } : {}) },
      ...(isArea ? { y: { range: (_, low, high) => bandRange(low, high) } } : {}),
    },
    bands: bandsOf(series).map(([upper, lower]) => ({ series: [upper + 1, lower + 1] })),
    cursor: { points: { size: 6 } },
    hooks: {
      setLegend: time ? [showNewest] : [],
      draw: flags === null ? [] : [(plot) => drawFlags(plot, element, flags())],
    },
    ...(flags === null ? {} : { padding: [FLAGS_PX, null, null, null] as uPlot.Padding }),
    axes: [
      formatX === null
        ? {
            ...axis,
            values: (_, splits, _axis, _space, step) => splits.map((at) => dateOf(at, step)),
            space: 72,
          }
        : { ...axis, values: (_, splits) => splits.map((split) => formatX(split)) },
      {
        ...axis,
        size: VALUE_AXIS_PX,
        values: (_, splits) => axisTexts(splits.map((split) => format(split))),
      },
    ],
    series: [
      formatX === null
        ? { label: 'Time', value: (_, value) => (value === null ? NONE : timeOf(value)) }
        : { label: 'At', value: (_, value) => (value === null ? NONE : formatX(value)) },
      ...series.map((one) => seriesOptions(element, one, drawing)),
    ],
  };
}

const DAY_SECONDS = 86_400;

/** A date of the axis, or a time where its steps are less than a day. */
function dateOf(seconds: number, step: number): string {
  const at = new Date(seconds * 1_000);
  // Midnight of the reader's zone begins a day also among hours.
  return step >= DAY_SECONDS || at.getHours() + at.getMinutes() === 0
    ? day(at, new Date())
    : dateTime(at, at);
}

/** The start of a day is that day. */
function timeOf(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return at.getHours() + at.getMinutes() === 0 ? day(at, new Date()) : dateTime(at, new Date());
}

/** Areas stand on zero. Where they have no height, the scale is that of a whole. */
function bandRange(low: number, high: number): uPlot.Range.MinMax {
  return low === 0 && high === 0 ? [0, 1] : uPlot.rangeNum(Math.min(0, low), high, 0.1, true);
}

/** Room for half a bar at either end. */
function barRange(plot: uPlot, first: number, last: number): uPlot.Range.MinMax {
  const positions = plot.data[0].length;
  const step = positions < 2 ? DAY_SECONDS : (last - first) / (positions - 1);
  return [first - step * 0.6, last + step * 0.6];
}

/** Without a cursor, the legend of a time series has its newest values. */
function showNewest(plot: uPlot): void {
  if (plot.legend.idx === null || plot.legend.idx === undefined)
    plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

function seriesOptions(
  element: HTMLElement,
  { label, color, filled = false, points = false, stacked = false, dashed = false, bars }: ChartSeries,
  { format, valueAt }: Pick<Drawing, 'format' | 'valueAt'>,
): uPlot.Series {
  const stroke = resolvedColor(element, `var(${color})`);
  return {
    label,
    stroke,
    width: points ? 0 : 1.75,
    ...(dashed ? { dash: [5, 4] } : {}),
    points: points ? { show: true, size: 11, fill: stroke } : { show: false },
    ...(bars === undefined ? {} : barOptions(stroke, bars)),
    ...(filled || stacked ? { fill: mixed(element, color, stacked ? 45 : 14) } : {}),
    value: (_plot, _height, position, index) => {
      const value = index === null ? null : valueAt(position - 1, index);
      return value === null ? NONE : format(value);
    },
  };
}

const MOST_BAR_PX = 48;

const barOptions = (stroke: string, bars: 'solid' | 'dashed'): Partial<uPlot.Series> => ({
  ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.7, MOST_BAR_PX] }) }),
  ...(bars === 'solid' ? { fill: stroke } : { dash: [3, 2], width: 1.4 }),
});

const mixed = (element: HTMLElement, color: string, percent: number): string =>
  resolvedColor(element, `color-mix(in srgb, var(${color}) ${percent}%, transparent)`);
