import type { ReactNode } from 'react';

export interface ChartSeries {
  readonly label: string;
  /** One number per horizontal position; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** A custom property of the theme, for example `--series-1`. */
  readonly color: string;
  /** Paints the area below the line; the axis then starts at zero. */
  readonly filled?: boolean;
  /** Two lines differ in dash as well as in colour. */
  readonly dashed?: boolean;
  /** Draws points instead of a line, for example today's state on a curve. */
  readonly points?: boolean;
  /** A band on top of the stacked series before it. The legend has its own value, not its height. */
  readonly stacked?: boolean;
  /** Bars on zero instead of a line; dashed for a period that is not over. */
  readonly bars?: 'solid' | 'dashed';
}

/** Something that happened: a number above the field, explained in a list below it. */
export interface ChartFlag {
  readonly x: number;
  readonly label: string;
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
  readonly flags?: readonly ChartFlag[];
  /** Lines without an area stand on zero, too. */
  readonly fromZero?: boolean;
  /** Shown when there are no positions. */
  readonly empty?: ReactNode;
}
