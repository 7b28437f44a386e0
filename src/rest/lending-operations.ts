import { BULK_MARKET_OPERATIONS } from './bulk/market-routes.ts';
import { LEVERAGE_METRICS, MARKET_HISTORY } from './markets/history-routes.ts';
import { ORACLE_PRICES } from './markets/oracle-price-routes.ts';
import { MARKET_CONFIG, MARKET_CONFIGS } from './markets/routes.ts';
import { MARKET_BORROW_ORDERS, OPEN_BORROW_ORDERS } from './obligations/borrow-order-routes.ts';
import { OBLIGATION_HISTORY, OBLIGATION_PNL } from './obligations/history-routes.ts';
import { OBLIGATION_INTEREST_OPERATIONS } from './obligations/interest-routes.ts';
import { LOAN } from './obligations/loan-routes.ts';
import { BORROW_ORDER_FILLS } from './obligations/order-fill-routes.ts';
import { USER_OBLIGATIONS } from './obligations/routes.ts';
import { LENDING_TRANSACTION_OPERATIONS } from './obligations/transaction-routes.ts';
import { WALLET_TRANSACTION_OPERATIONS } from './obligations/wallet-transaction-routes.ts';
import type { Operation } from './operation/operation.ts';
import { RESERVE_ACCOUNT_DATA } from './reserves/account-data-routes.ts';
import { COLLATERAL_RESERVES } from './reserves/collateral-routes.ts';
import { RESERVE_HISTORY } from './reserves/history-routes.ts';
import { RESERVE_METRICS } from './reserves/routes.ts';
import { RESERVE_STATS_OPERATIONS } from './reserves/stats-routes.ts';
import { LENDING_REWARD_HISTORY, LENDING_REWARDS } from './rewards/lending-routes.ts';
import { USER_REWARDS } from './rewards/user-routes.ts';
import { WITHDRAW_QUEUE } from './withdraw-queues/routes.ts';

/** Markets, reserves, loans and lending rewards, with their history. */
export const LENDING_OPERATIONS: readonly Operation[] = [
  LENDING_REWARDS,
  LOAN,
  MARKET_CONFIGS,
  MARKET_CONFIG,
  RESERVE_METRICS,
  RESERVE_ACCOUNT_DATA,
  USER_OBLIGATIONS,
  LENDING_REWARD_HISTORY,
  RESERVE_HISTORY,
  LEVERAGE_METRICS,
  MARKET_HISTORY,
  OBLIGATION_HISTORY,
  OBLIGATION_PNL,
  USER_REWARDS,
  ...LENDING_TRANSACTION_OPERATIONS,
  ...WALLET_TRANSACTION_OPERATIONS,
  ...BULK_MARKET_OPERATIONS,
  ...OBLIGATION_INTEREST_OPERATIONS,
  ORACLE_PRICES,
  COLLATERAL_RESERVES,
  ...RESERVE_STATS_OPERATIONS,
  WITHDRAW_QUEUE,
  MARKET_BORROW_ORDERS,
  OPEN_BORROW_ORDERS,
  BORROW_ORDER_FILLS,
];
