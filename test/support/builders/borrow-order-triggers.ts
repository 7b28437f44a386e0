import { BorrowOrderBench, COLLATERAL, DEBT } from '../localnet/borrow-order-bench.ts';
import type { Trigger } from './built-warnings.ts';

const warningsOf = (...terms: Parameters<BorrowOrderBench['place']>) =>
  new BorrowOrderBench().place(...terms).preview().warnings;

/** A bench with an order, after a change of its market. */
function placed(market: Parameters<BorrowOrderBench['changeMarket']>[0] = {}) {
  const bench = new BorrowOrderBench();
  bench.failureOf(bench.place().action.instructions);
  bench.changeMarket(market);
  return bench;
}

export const BORROW_ORDER_TRIGGERS: readonly Trigger[] = [
  [
    'BORROW_ORDER_UNFILLABLE',
    'a maximum below the rate of every reserve',
    () => warningsOf({ maxBorrowRateBps: 4_999 }),
  ],
  [
    'BORROW_ORDER_UNFILLABLE',
    'a market that fills no orders',
    () => placed({ borrowOrderExecutionEnabled: 0 }).place().preview().warnings,
  ],
  [
    'BORROW_ORDER_UNFILLABLE',
    'a rollover that the market does not know',
    () =>
      placed({ obligationBorrowRolloverConfigurationEnabled: 0 }).place({ autoRollover: true }).preview()
        .warnings,
  ],
  ['ORDER_REPLACED', 'a change of a borrow order', () => placed().place({ index: 0 }).preview().warnings],
  ['AMOUNT_BELOW_MINIMUM', 'a tiny order', () => warningsOf({ amount: { baseUnits: 1_999_999n } })],
  [
    'ACTION_NOT_ALLOWED',
    'a market without new borrow orders',
    () => placed({ borrowOrderCreationEnabled: 0 }).place().preview().warnings,
  ],
  [
    'ACTION_NOT_ALLOWED',
    'a fill in a market that fills none',
    () => placed({ borrowOrderExecutionEnabled: 0 }).fill().preview().warnings,
  ],
  [
    'FILLED_IN_PART',
    'collateral for a part of the order',
    () => placed({ globalAllowedBorrowValue: 20n }).fill().preview().warnings,
  ],
  [
    'COLLATERAL_TOO_LOW',
    'a fill without collateral',
    () => {
      const bench = new BorrowOrderBench({ ...COLLATERAL, deposits: [] });
      bench.failureOf([bench.setting({}, 0, 0n, {}, DEBT)]);
      return bench.fill().preview().warnings;
    },
  ],
];
