import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';

export interface MixPart {
  readonly key: string;
  /** A custom property of the theme, for example `--series-1`. */
  readonly color: string;
  readonly value: string;
}

/** The parts of a whole: their widths are their shares. The words beside it have the numbers. */
export function MixBar({
  parts,
  thin = false,
}: {
  readonly parts: readonly MixPart[];
  readonly thin?: boolean;
}): ReactNode {
  return (
    <span className={thin ? 'mix thin' : 'mix'} aria-hidden="true">
      {parts.map(({ key, color, value }) => {
        // Growth factors that add up to less than 1 would leave a part of the bar empty.
        const weight = Math.max(0, Decimal.of(value).toApproximateNumber()) * 1_000_000;
        return weight === 0 ? null : (
          <i key={key} style={{ flexGrow: weight, background: `var(${color})` }} />
        );
      })}
    </span>
  );
}

/** A colour of a chart with its meaning. */
export function Legend({
  entries,
}: {
  readonly entries: readonly { readonly color: string; readonly text: ReactNode }[];
}): ReactNode {
  return (
    <ul className="legend">
      {entries.map(({ color, text }) => (
        <li key={color}>
          <i style={{ background: `var(${color})` }} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
