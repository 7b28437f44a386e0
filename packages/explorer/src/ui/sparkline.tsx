import type { ReactNode } from 'react';

const WIDTH = 96;
const HEIGHT = 24;
/** Half the width of the line, so that it is not cut at the edges. */
const MARGIN = 1.5;

export interface SparklineProps {
  /** Content of the line, for screen readers, for example `APY, last 30 days`. */
  readonly label: string;
  /** Evenly spaced, oldest first. Null where nothing is known. */
  readonly values: readonly (number | null)[];
}

/** A tiny line without axes. A dash stands for a series without two known points. */
export function Sparkline({ label, values }: SparklineProps): ReactNode {
  const known = values.filter((value) => value !== null);
  const path = pathOf(values, known);
  if (path === null) return <span className="value absent">–</span>;
  const trend = (known.at(-1) ?? 0) - (known[0] ?? 0);
  return (
    <svg
      className={`sparkline ${trend < 0 ? 'loss' : 'gain'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${label}: ${trend === 0 ? 'unchanged' : trend < 0 ? 'falling' : 'rising'}`}
    >
      <path d={path} />
    </svg>
  );
}

function pathOf(values: readonly (number | null)[], known: readonly number[]): string | null {
  if (known.length < 2) return null;
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  const height = HEIGHT - 2 * MARGIN;
  let pen = 'M';
  const parts: string[] = [];
  values.forEach((value, index) => {
    if (value === null) {
      pen = 'M';
      return;
    }
    const x = MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN);
    const y = MARGIN + (span === 0 ? height / 2 : height * (1 - (value - low) / span));
    parts.push(`${pen}${x.toFixed(1)} ${y.toFixed(1)}`);
    pen = 'L';
  });
  return parts.join('');
}
