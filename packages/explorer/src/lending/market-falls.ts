import { Decimal, type VariablesOf } from '@sluice/client';
import type { Risk } from '../format/risk.ts';
import { isNearDollar } from './heat/heat-shocks.ts';
import type { MARKETS_AT_RISK, MarketAtRisk, PricedMarket } from './market-risk-documents.ts';

type Shocks = VariablesOf<typeof MARKETS_AT_RISK>['shocks'];

/** Falls of all tokens but those near a dollar, in percent. */
export const FALLS = ['-10', '-30'] as const;

const DANGER_PART = Decimal.of('0.05');
const CAUTION_PART = Decimal.of('0.0001');

export function fallsOf(markets: readonly PricedMarket[]): Shocks {
  const mints = new Set<string>();
  for (const { price, token } of markets.flatMap(({ reserves }) => reserves)) {
    if (price === null || !isNearDollar(price.usd)) mints.add(token.mint);
  }
  const sorted = [...mints].sort();
  return FALLS.map((changePct) => ({
    label: `${changePct}%`,
    prices: sorted.map((mint) => ({ mint, changePct })),
  }));
}

/**
 * Danger: more than 5 % of all debt could be liquidated after a fall of 30 %. Caution: more than 0.01 % can be now. Null when
 * the loans cannot be read.
 */
export function riskOfMarket({ risk }: Pick<MarketAtRisk, 'risk'>): Risk | null {
  if (risk === null) return null;
  const all = Decimal.of(risk.now.debtUsd);
  const deepest = Decimal.of(risk.shocks.at(-1)?.atRisk.debtUsd ?? '0');
  if (deepest.compare(all.times(DANGER_PART)) > 0) return 'danger';
  return Decimal.of(risk.now.atRisk.debtUsd).compare(all.times(CAUTION_PART)) > 0 ? 'caution' : 'safe';
}
