import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import {
  cancelOrderAction,
  type SetOrderRequest,
  setOrderAction,
} from '../../../src/builders/orders/action.ts';
import { type LendingSetting, MARKET, WALLET } from '../builders/lending-accounts.ts';
import { NOTHING_KNOWN, stepOn } from './built-steps.ts';
import { type LendingBench, lendingBench } from './lending-bench.ts';

/** 1,000 dollars in one deposit that is liquidated from 85 %, and 500 of debt: a loan-to-value of 50 %. */
export const PAIR: LendingSetting = {
  reserves: [{}, {}, {}],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 500_000_000n]],
};

/** Two deposits of 1,000 dollars, and two debts of 500. */
export const TWO_PAIRS: LendingSetting = {
  reserves: [{}, {}, {}, {}],
  deposits: [
    [0, 1_000_000_000n],
    [2, 1_000_000_000n],
  ],
  borrows: [
    [1, 500_000_000n],
    [3, 500_000_000n],
  ],
};

const ORDERS_ON = { obligationOrderCreationEnabled: 1, obligationOrderExecutionEnabled: 1 };

/** A market with orders, and an obligation. */
export function orderBench(
  setting: LendingSetting = PAIR,
  market: Parameters<typeof lendingMarket.encode>[0] = {},
): LendingBench {
  const bench = lendingBench(setting, 'borrow', 1);
  bench.change(lendingMarket, MARKET, { ...ORDERS_ON, ...market });
  return bench;
}

export const STOP_LOSS: Omit<SetOrderRequest, 'wallet' | 'market'> = {
  condition: 'LTV_ABOVE',
  threshold: parseDecimal('0.7'),
  amount: { all: true },
  minBonusBps: 50,
  maxBonusBps: 200,
};

const PLACE = { wallet: WALLET, market: MARKET };

/** Builds a stop-loss with some other terms. */
export const setOrder = (bench: LendingBench, terms: Partial<SetOrderRequest> = {}) =>
  stepOn(bench, setOrderAction(NOTHING_KNOWN, { ...PLACE, ...STOP_LOSS, ...terms }));

export const cancelOrder = (bench: LendingBench, index: number, wallet = WALLET) =>
  stepOn(bench, cancelOrderAction(NOTHING_KNOWN, { ...PLACE, wallet, index }));
