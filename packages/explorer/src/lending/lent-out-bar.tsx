import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { Part } from '../ui/value.tsx';

export interface LentOutBarProps {
  /** A fraction. Null: unknown. */
  readonly value: string | null;
  readonly absent?: string;
  readonly derived?: boolean;
}

/** The part that is lent out, as a bar and a number. */
export function LentOutBar({ value, absent = 'Unknown', derived = false }: LentOutBarProps): ReactNode {
  const share = value === null ? 0 : Math.min(1, Math.max(0, Decimal.of(value).toApproximateNumber()));
  return (
    <span className="lent-out">
      <span className="bar" aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <Part value={value} absent={absent} derived={derived} />
    </span>
  );
}
