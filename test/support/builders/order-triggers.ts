import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { cancelOrder, orderBench, PAIR, setOrder } from '../localnet/order-bench.ts';
import type { Trigger } from './built-warnings.ts';

const warningsOf = (...terms: Parameters<typeof setOrder>) => setOrder(...terms).preview().warnings;

/** A bench whose first order is set. */
function withOrder() {
  const bench = orderBench();
  bench.failureOf(setOrder(bench).action.instructions);
  return bench;
}

export const ORDER_TRIGGERS: readonly Trigger[] = [
  [
    'ORDER_TRIGGERED_NOW',
    'a stop-loss below the loan-to-value',
    () => warningsOf(orderBench(), { threshold: parseDecimal('0.4') }),
  ],
  ['ORDER_REPLACED', 'a second order in the same place', () => warningsOf(withOrder(), { index: 0 })],
  ['ORDER_ABSENT', 'a cancellation of no order', () => cancelOrder(withOrder(), 1).preview().warnings],
  ['ORDER_WITHOUT_BONUS', 'no bonus', () => warningsOf(orderBench(), { minBonusBps: 0, maxBonusBps: 0 })],
  [
    'ORDER_PAUSED',
    'a market without liquidations',
    () => warningsOf(orderBench(PAIR, { priceTriggeredLiquidationDisabled: 1 })),
  ],
  [
    'ABOVE_POSITION',
    'more than the debt',
    () => warningsOf(orderBench(), { amount: { baseUnits: 600_000_000n } }),
  ],
  [
    'ACTION_NOT_ALLOWED',
    'a market without new orders',
    () => warningsOf(orderBench(PAIR, { obligationOrderCreationEnabled: 0 })),
  ],
];
