import type { ChartProps } from './chart-props.ts';

type Summarised = Pick<ChartProps, 'xs' | 'series' | 'format'> & {
  readonly time: boolean;
  readonly formatX: ChartProps['formatX'];
};

/** The chart in words: ends, lowest and highest value of each series. */
export function chartSummary({ xs, series, format, time, formatX }: Summarised): string {
  const at = (index: number): string => {
    const x = xs[index];
    if (x === undefined) return '';
    if (formatX !== undefined) return formatX(x);
    return time ? new Date(x * 1_000).toLocaleString() : String(x);
  };
  return series
    .map(({ label, values }) => {
      const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
      const [first, last] = [known[0], known.at(-1)];
      if (first === undefined || last === undefined) return `${label}: nothing known.`;
      const numbers = known.map(({ value }) => value);
      const range = `lowest ${format(Math.min(...numbers))}, highest ${format(Math.max(...numbers))}`;
      return `${label}: ${format(first.value)} at ${at(first.index)}, ${format(last.value)} at ${at(last.index)}, ${range}.`;
    })
    .join(' ');
}
