import { BUILDER_ROWS } from './builders.ts';
import type { ContractRow } from './contract-row.ts';
import { EARN_POSITION_ROWS } from './earn-positions.ts';
import { EARN_USER_ROWS } from './earn-users.ts';
import { FARM_TRANSACTION_ROWS } from './farm-transactions.ts';
import { HISTORY_ROWS } from './history.ts';
import { LENDING_TRANSACTION_ROWS } from './lending-transactions.ts';
import { LOOKUP_TABLE_ROWS } from './lookup-tables.ts';
import { MARKET_ROWS } from './markets.ts';
import { OBLIGATION_HISTORY_ROWS } from './obligation-history.ts';
import { OBLIGATION_INTEREST_ROWS } from './obligation-interest.ts';
import { OBLIGATION_ROWS } from './obligations.ts';
import { PORTFOLIO_ROWS } from './portfolio.ts';
import { RESERVE_STATS_ROWS } from './reserve-stats.ts';
import { TOKEN_ROWS } from './tokens.ts';
import { VAULT_LIST_ROWS } from './vault-lists.ts';
import { VAULT_ROWS } from './vaults.ts';
import { YIELD_ROWS } from './yields.ts';

/** The specification, written by hand and not derived from the code. */
export const CONTRACT_ROWS: readonly ContractRow[] = [
  ...TOKEN_ROWS,
  ...VAULT_ROWS,
  ...VAULT_LIST_ROWS,
  ...LOOKUP_TABLE_ROWS,
  ...EARN_USER_ROWS,
  ...EARN_POSITION_ROWS,
  ...MARKET_ROWS,
  ...OBLIGATION_ROWS,
  ...OBLIGATION_HISTORY_ROWS,
  ...LENDING_TRANSACTION_ROWS,
  ...FARM_TRANSACTION_ROWS,
  ...OBLIGATION_INTEREST_ROWS,
  ...PORTFOLIO_ROWS,
  ...BUILDER_ROWS,
  ...HISTORY_ROWS,
  ...RESERVE_STATS_ROWS,
  ...YIELD_ROWS,
];
