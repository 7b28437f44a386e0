import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { Meter } from './meter.tsx';
import type { Tone } from './notice.tsx';

const LIQUIDATABLE = Decimal.of('1');
const AT_RISK = Decimal.of('1.1');
/** The bar is full here: twice the debt that the collateral could carry. */
const FULL = '2';

/** At 1 and below a loan can be liquidated; a move of a tenth brings one below 1.1 there. */
export function healthTone(factor: string): Tone {
  const health = Decimal.of(factor);
  return health.compare(LIQUIDATABLE) <= 0 ? 'bad' : health.compare(AT_RISK) < 0 ? 'warn' : 'good';
}

export interface HealthProps {
  /** Health factor. Null without debt, and when a value is unknown. */
  readonly factor: string | null | undefined;
  readonly absent?: string;
}

/** A gauge of the health factor with the line of liquidation. */
export function Health({ factor, absent = 'No debt' }: HealthProps): ReactNode {
  return (
    <Meter
      label="Health factor"
      value={factor}
      max={FULL}
      mark="1"
      style="number"
      places={2}
      absent={absent}
      {...(factor === null || factor === undefined ? {} : { tone: healthTone(factor) })}
    />
  );
}
