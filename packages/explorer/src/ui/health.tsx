import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { health, NO_BREAK, part } from '../format/numbers.ts';
import { distanceOf, RISK_WORDS, type Risk, riskOfHealth } from '../format/risk.ts';
import { Icon } from './icon.tsx';
import { Absent, ShownValue } from './value.tsx';

export interface HealthProps {
  /** Health factor. Null without debt, and when a value is unknown. */
  readonly factor: string | null | undefined;
  readonly absent?: string;
  /** The loan has no debt: there is no health, rather than an unknown one. */
  readonly none?: boolean;
}

export const healthRisk = (factor: string): Risk => riskOfHealth(Decimal.of(factor));

/** The health factor with its place on the one scale of risk: word, sign, pattern and colour. */
export function Health({ factor, absent = 'No debt', none = factor === null }: HealthProps): ReactNode {
  if (factor === null || factor === undefined) return <Absent why={absent} none={none} />;
  const risk = healthRisk(factor);
  const distance = distanceOf(Decimal.of(factor));
  return (
    <span className="health">
      <RiskBadge risk={risk}>
        {RISK_WORDS[risk]}, <ShownValue value={factor} show={health} />
      </RiskBadge>
      <RiskBar risk={risk} distance={distance} />
    </span>
  );
}

/** A word with the sign of its risk. */
export function RiskBadge({
  risk,
  children,
}: {
  readonly risk: Risk;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <span className={`badge ${risk}`}>
      <Icon name={risk} />
      <span>{children ?? RISK_WORDS[risk]}</span>
    </span>
  );
}

/** The bar is full at twice the distance from which a loan is safe. */
const FULL = 0.5;

/** Distance to liquidation as a bar: solid, dotted or hatched. */
export function RiskBar({ risk, distance }: { readonly risk: Risk; readonly distance: Decimal }): ReactNode {
  const share = Math.min(1, Math.max(0.03, distance.toApproximateNumber() / FULL));
  return (
    <span className={`risk-bar ${risk}`} aria-hidden="true">
      <span style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}

/** "39.6% away from liquidation", or that it can be liquidated now. */
export function distanceText(distance: Decimal): string {
  return distance.isNegative || distance.isZero
    ? 'Can be liquidated now'
    : `${part(distance).text}${NO_BREAK}away`;
}
