import { BOOK_ROWS } from './books.ts';
import { BORROW_ORDER_BUILDER_ROWS } from './borrow-order-builders.ts';
import { BORROW_ORDERS_ROW, OPEN_BORROW_ORDERS_ROW } from './borrow-orders.ts';
import { BUILDER_ROWS } from './builders.ts';
import { BULK_TRANSACTION_ROWS } from './bulk-transactions.ts';
import { CHAIN_ROWS } from './chain.ts';
import { COLLATERAL_RESERVE_ROW } from './collateral-reserves.ts';
import { CURATOR_BUILDER_ROWS } from './curator-builders.ts';
import { CURATOR_ROWS } from './curators.ts';
import { EARN_ROWS } from './earn.ts';
import { FARM_TRANSACTION_ROWS } from './farm-transactions.ts';
import { LENDING_REWARD_ROWS } from './lending-rewards.ts';
import { LENDING_TRANSACTION_ROWS } from './lending-transactions.ts';
import { LOAN_ROW } from './loans.ts';
import { LOOKUP_TABLE_ROWS } from './lookup-tables.ts';
import { MARKET_HISTORY_ROWS } from './market-history.ts';
import { MARKET_ROWS } from './markets.ts';
import { OBLIGATION_HISTORY_ROW } from './obligation-history.ts';
import { OBLIGATION_INTEREST_ROWS } from './obligation-interest.ts';
import { OBLIGATION_PNL_ROW } from './obligation-pnl.ts';
import { OBLIGATION_ROW } from './obligations.ts';
import type { OperationRow } from './operation-row.ts';
import { ORACLE_PRICE_ROW } from './oracle-prices.ts';
import { ORDER_BUILDER_ROWS } from './order-builders.ts';
import { ORDER_FILLS_ROW } from './order-fills.ts';
import { OWNERSHIP_BUILDER_ROWS } from './ownership-builders.ts';
import { PORTFOLIO_ROW } from './portfolio.ts';
import { POSITION_SWAP_BUILDER_ROWS } from './position-swap-builders.ts';
import { PRICE_ROWS } from './prices.ts';
import { PRIVATE_CREDIT_ROWS } from './private-credit.ts';
import { QUEUE_BUILDER_ROWS } from './queue-builders.ts';
import { QUEUE_TRANSACTION_ROWS } from './queue-transactions.ts';
import { REFERRAL_BUILDER_ROWS } from './referral-builders.ts';
import { REPAY_WITHDRAW_BUILDER_ROWS } from './repay-withdraw-builders.ts';
import { RESERVE_HISTORY_ROW } from './reserve-history.ts';
import { RESERVE_STATS_ROWS } from './reserve-stats.ts';
import { ROLLOVER_BUILDER_ROWS } from './rollover-builders.ts';
import { SEASON_ROWS } from './seasons.ts';
import { TOKEN_ROWS } from './tokens.ts';
import { VAULT_ALLOCATION_ROW } from './vault-allocations.ts';
import { VAULT_BACKTEST_ROW } from './vault-backtest.ts';
import { VAULT_HISTORY_ROWS, VAULT_VOLUME_ROW } from './vault-history.ts';
import { VAULT_METRICS_ROWS } from './vault-metrics.ts';
import { VAULT_POSITION_ROWS } from './vault-positions.ts';
import { VAULT_RISK_ROW } from './vault-risk.ts';
import { VAULT_TRANSACTION_ROW } from './vault-transactions.ts';
import { VAULT_ROWS } from './vaults.ts';
import { WALLET_SHARE_ROWS } from './wallet-shares.ts';
import { WALLET_STAKES_ROW } from './wallet-stakes.ts';
import { WALLET_VAULT_ROWS } from './wallet-vaults.ts';
import { WITHDRAW_QUEUE_ROW } from './withdraw-queues.ts';
import { YIELD_ROWS } from './yields.ts';

/** One row for each operation that is served. */
export const OPERATION_ROWS: readonly OperationRow[] = [
  ...TOKEN_ROWS,
  ...PRICE_ROWS,
  ...VAULT_ROWS,
  ...VAULT_METRICS_ROWS,
  VAULT_ALLOCATION_ROW,
  ...VAULT_HISTORY_ROWS,
  ...PRIVATE_CREDIT_ROWS,
  VAULT_BACKTEST_ROW,
  VAULT_VOLUME_ROW,
  VAULT_RISK_ROW,
  ...CURATOR_ROWS,
  VAULT_TRANSACTION_ROW,
  ...LOOKUP_TABLE_ROWS,
  ...EARN_ROWS,
  ...SEASON_ROWS,
  ...WALLET_SHARE_ROWS,
  ...WALLET_VAULT_ROWS,
  ...VAULT_POSITION_ROWS,
  ...MARKET_ROWS,
  ...MARKET_HISTORY_ROWS,
  ...LENDING_REWARD_ROWS,
  ...RESERVE_STATS_ROWS,
  RESERVE_HISTORY_ROW,
  COLLATERAL_RESERVE_ROW,
  ORACLE_PRICE_ROW,
  OBLIGATION_ROW,
  LOAN_ROW,
  OBLIGATION_HISTORY_ROW,
  OBLIGATION_PNL_ROW,
  ...OBLIGATION_INTEREST_ROWS,
  ...LENDING_TRANSACTION_ROWS,
  ...QUEUE_TRANSACTION_ROWS,
  ...BULK_TRANSACTION_ROWS,
  ...BOOK_ROWS,
  ...FARM_TRANSACTION_ROWS,
  PORTFOLIO_ROW,
  WALLET_STAKES_ROW,
  WITHDRAW_QUEUE_ROW,
  ...YIELD_ROWS,
  ...CHAIN_ROWS,
  ...BUILDER_ROWS,
  ...REPAY_WITHDRAW_BUILDER_ROWS,
  ...POSITION_SWAP_BUILDER_ROWS,
  ...QUEUE_BUILDER_ROWS,
  ...ORDER_BUILDER_ROWS,
  ...BORROW_ORDER_BUILDER_ROWS,
  BORROW_ORDERS_ROW,
  OPEN_BORROW_ORDERS_ROW,
  ORDER_FILLS_ROW,
  ...OWNERSHIP_BUILDER_ROWS,
  ...ROLLOVER_BUILDER_ROWS,
  ...REFERRAL_BUILDER_ROWS,
  ...CURATOR_BUILDER_ROWS,
];
