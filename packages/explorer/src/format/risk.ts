import { Decimal } from '@sluice/client';

/** The one scale of risk, for health, loan to value and buffers alike. */
export type Risk = 'safe' | 'caution' | 'danger';

const ONE = Decimal.of('1');
const SAFE_FROM = Decimal.of('0.25');
const CAUTION_FROM = Decimal.of('0.1');

/** How far the collateral may fall, against the debt, before a loan can be liquidated: 1 - 1 / health. Below 0 it can be. */
export const distanceOf = (health: Decimal): Decimal =>
  health.isZero ? Decimal.of('-1') : ONE.minus(ONE.dividedBy(health, 18));

export const riskOfDistance = (distance: Decimal): Risk =>
  distance.compare(SAFE_FROM) >= 0 ? 'safe' : distance.compare(CAUTION_FROM) >= 0 ? 'caution' : 'danger';

export const riskOfHealth = (health: Decimal): Risk => riskOfDistance(distanceOf(health));

/** The word that stands beside the colour. */
export const RISK_WORDS: Readonly<Record<Risk, string>> = {
  safe: 'Safe',
  caution: 'Caution',
  danger: 'Danger',
};
