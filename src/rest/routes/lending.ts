import type { Operation } from '../operation.ts';
import { RESERVE_ACCOUNT_DATA } from './account-data.ts';
import { LENDING_REWARDS } from './lending-rewards.ts';
import { LOAN } from './loans.ts';
import { MARKET_CONFIG, MARKET_CONFIGS } from './market-config.ts';
import { RESERVE_METRICS } from './reserve-metrics.ts';
import { USER_OBLIGATIONS } from './user-obligations.ts';

/** Markets, reserves, loans and rewards for lending, as they are now. */
export const LENDING_OPERATIONS: readonly Operation[] = [
  LENDING_REWARDS,
  LOAN,
  MARKET_CONFIGS,
  MARKET_CONFIG,
  RESERVE_METRICS,
  RESERVE_ACCOUNT_DATA,
  USER_OBLIGATIONS,
];
