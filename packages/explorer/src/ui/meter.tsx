import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { part, type Shown } from '../format/numbers.ts';
import type { Tone } from './notice.tsx';
import { type AmountProps, ShownValue } from './value.tsx';

export interface MeterProps extends Pick<AmountProps, 'value' | 'absent' | 'none' | 'derived'> {
  /** Names the measured value for screen readers. */
  readonly label: string;
  /** How the number is written. Defaults to a part of a whole. */
  readonly show?: (value: Decimal) => Shown;
  /** Value of a full bar. Defaults to 1. */
  readonly max?: string;
  /** A line across the bar, such as a target or a limit. */
  readonly mark?: string | null;
  readonly tone?: Tone;
}

/** A bar with its number. A value over `max` fills the bar; the number says how much it is. */
export function Meter({
  label,
  value,
  show = part,
  max = '1',
  mark,
  tone = 'info',
  absent = `${label} unknown`,
  ...rest
}: MeterProps): ReactNode {
  const number = <ShownValue value={value} show={show} absent={absent} {...rest} />;
  if (value === null || value === undefined) return number;
  const share = shareOf(value, max);
  return (
    <span className="meter">
      <meter className="visually-hidden" aria-label={label} min={0} max={1} value={share} />
      <span className={`bar ${tone}`} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
        {mark !== null && mark !== undefined && (
          <i style={{ insetInlineStart: `${shareOf(mark, max) * 100}%` }} />
        )}
      </span>
      {number}
    </span>
  );
}

/** For a width on screen: 0 to 1. */
function shareOf(value: string, max: string): number {
  const whole = Decimal.of(max).toApproximateNumber();
  if (whole <= 0) return 0;
  return Math.min(1, Math.max(0, Decimal.of(value).toApproximateNumber() / whole));
}
