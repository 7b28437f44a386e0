import type { Operation } from '../operation.ts';
import { RESERVE_ACCOUNT_DATA } from './account-data.ts';
import { COLLATERAL_RESERVES } from './collateral-reserves.ts';
import { LENDING_REWARD_HISTORY, LENDING_REWARDS } from './lending-rewards.ts';
import { LENDING_TRANSACTION_OPERATIONS } from './lending-transactions.ts';
import { LOAN } from './loans.ts';
import { MARKET_CONFIG, MARKET_CONFIGS } from './market-config.ts';
import { LEVERAGE_METRICS, MARKET_HISTORY } from './market-history.ts';
import { OBLIGATION_HISTORY, OBLIGATION_PNL } from './obligation-history.ts';
import { OBLIGATION_INTEREST_OPERATIONS } from './obligation-interest.ts';
import { ORACLE_PRICES } from './oracle-prices.ts';
import { RESERVE_HISTORY } from './reserve-history.ts';
import { RESERVE_METRICS } from './reserve-metrics.ts';
import { RESERVE_STATS_OPERATIONS } from './reserve-stats.ts';
import { USER_OBLIGATIONS } from './user-obligations.ts';
import { USER_REWARDS } from './user-rewards.ts';

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
  ...OBLIGATION_INTEREST_OPERATIONS,
  ORACLE_PRICES,
  COLLATERAL_RESERVES,
  ...RESERVE_STATS_OPERATIONS,
];
