import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import type { Tone } from './notice.tsx';
import { Absent, Value, type ValueProps } from './value.tsx';

export interface MeterProps extends Pick<ValueProps, 'style' | 'places' | 'minPlaces' | 'unit' | 'derived'> {
  /** Names the measured value for screen readers. */
  readonly label: string;
  /** Exact value. Null: it could not be read. */
  readonly value: string | null | undefined;
  /** Value of a full bar. Defaults to 1. */
  readonly max?: string;
  /** A line across the bar, such as a target or a limit. */
  readonly mark?: string | null;
  readonly tone?: Tone;
  readonly absent?: string;
}

/** A bar with its number. A value over `max` fills the bar; the number says how much it is. */
export function Meter({
  label,
  value,
  max = '1',
  mark,
  tone = 'info',
  absent,
  ...format
}: MeterProps): ReactNode {
  if (value === null || value === undefined) return <Absent why={absent ?? `${label} unknown`} />;
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
      <Value value={value} style="percent" places={1} {...format} />
    </span>
  );
}

/** For a width on screen: 0 to 1. */
function shareOf(value: string, max: string): number {
  const whole = Decimal.of(max).toApproximateNumber();
  if (whole <= 0) return 0;
  return Math.min(1, Math.max(0, Decimal.of(value).toApproximateNumber() / whole));
}
