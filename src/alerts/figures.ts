import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { integer, ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { View } from '../chain/view/view.ts';
import { bufferToLiquidation, healthFactor } from '../domain/health.ts';
import { failedChecks, type PriceUsd, passesAll } from '../domain/price.ts';
import type { ValuedObligation } from '../services/obligations/obligations.ts';
import type { ObligationRecord, ReserveRecord, VaultRecord } from '../services/request/records.ts';
import { reserveLimits, reservePrice, utilization } from '../services/reserves/reserves.ts';
import { sharesIssued } from '../services/vaults/vaults.ts';
import { currentYield } from '../services/vaults/yields.ts';
import type { Condition, MetricReading } from './condition.ts';
import type { AlertMetric, ObligationFigure } from './metrics.ts';

/** A figure that an alert watches, with what a message says besides. */
export interface Figure {
  readonly reading: MetricReading;
  /** In words where the number does not say it, such as why a price cannot be used. */
  readonly detail: string | null;
  /** The obligation that the figure is of; of a wallet, the one that is nearest to the threshold or furthest beyond it. */
  readonly obligation: ObligationRecord | null;
}

/** Loan-to-value of a debt without collateral. */
const UNBOUNDED_LTV = integer(1_000_000n);

export const UNKNOWN: Figure = { reading: { kind: 'unknown' }, detail: null, obligation: null };
export const NONE: Figure = { reading: { kind: 'none' }, detail: null, obligation: null };

/** Rounded as it is published, so that a message agrees with the graph. */
const known = (value: Rational, detail: string | null = null): Figure => ({
  reading: { kind: 'value', value: roundToPublished(value), isPartial: false },
  detail,
  obligation: null,
});

const ifKnown = (value: Rational | null): Figure => (value === null ? UNKNOWN : known(value));

/** Without debt there is nothing at stake. */
export function figureOfObligation({ stats, record }: ValuedObligation, figure: ObligationFigure): Figure {
  if (stats === null) return { ...UNKNOWN, obligation: record };
  if (stats.userTotalBorrowBorrowFactorAdjusted.isZero) return { ...NONE, obligation: record };
  const values = {
    HEALTH: () => healthFactor(stats),
    LTV: () => (stats.userTotalCollateralDeposit.isZero ? UNBOUNDED_LTV : stats.loanToValue),
    LIQUIDATION_DISTANCE: () => bufferToLiquidation(stats),
  };
  return { ...ifKnown(values[figure]()), obligation: record };
}

/**
 * The figure of several obligations that is furthest in the direction in which the condition fires. One that is unknown may
 * be further, so it prevents clearing, not firing.
 */
export function worstFigure(figures: readonly Figure[], direction: Condition['direction']): Figure {
  let worst: Figure | null = null;
  let isPartial = false;
  for (const figure of figures) {
    const { reading } = figure;
    if (reading.kind === 'unknown') isPartial = true;
    if (reading.kind !== 'value') continue;
    const best = worst?.reading;
    const side = best?.kind === 'value' ? reading.value.compare(best.value) : 0;
    if (worst === null || (direction === 'ABOVE' ? side > 0 : side < 0)) worst = figure;
  }
  if (worst === null) return isPartial ? UNKNOWN : NONE;
  return worst.reading.kind === 'value' ? { ...worst, reading: { ...worst.reading, isPartial } } : worst;
}

/** For VAULT_OUTFLOW the supply of shares, from which the outflow is computed. */
export function figureOfVault(view: View, vault: VaultRecord, metric: AlertMetric): Figure {
  if (metric === 'VAULT_OUTFLOW') return known(sharesIssued(vault));
  return ifKnown(currentYield(view, vault)?.total ?? null);
}

export function figureOfReserve(view: View, reserve: ReserveRecord, metric: AlertMetric): Figure {
  switch (metric) {
    case 'RESERVE_UTILIZATION':
      return known(utilization(view, reserve));
    case 'RESERVE_DEPOSIT_REMAINING':
      return known(reserveLimits(view, reserve).depositRemaining.amount);
    case 'RESERVE_BORROW_REMAINING':
      return known(reserveLimits(view, reserve).borrowRemaining.amount);
    default:
      return priceFigure(reservePrice(view, reserve));
  }
}

/** 1 while the lending program does not accept the price, or there is none. */
function priceFigure(price: PriceUsd | null): Figure {
  if (price === null) return known(ONE, 'There is no price');
  if (passesAll(price)) return known(ZERO);
  const failed = failedChecks(price);
  if (failed === null) return known(ONE, 'The oracle cannot be read');
  return known(ONE, `The price fails the checks ${failed.join(', ')}`);
}

/** Result of the last comparison of our numbers with the chain. */
export interface DriftSample {
  /** Null before the first comparison. */
  readonly checkedAt: string | null;
  readonly kinds: Readonly<Record<string, { readonly alarms: number }>>;
}

/** The number of figures that differ from the chain by more than their tolerance. */
export function figureOfDrift(drift: DriftSample | null): Figure {
  if (drift === null || drift.checkedAt === null) return UNKNOWN;
  const found = Object.entries(drift.kinds).filter(([, { alarms }]) => alarms > 0);
  const alarms = found.reduce((sum, [, kind]) => sum + kind.alarms, 0);
  return known(integer(alarms), alarms === 0 ? null : `In ${found.map(([name]) => name).join(', ')}`);
}
