import { ALL_VAULT_TRANSACTIONS } from './bulk/vault-routes.ts';
import { CURATOR_OPERATIONS } from './curators/routes.ts';
import { FARM_TRANSACTION_OPERATIONS } from './farms/routes.ts';
import type { Operation } from './operation/operation.ts';
import { PRICE_OPERATIONS } from './prices/routes.ts';
import { VAULT_REWARD_OPERATIONS } from './rewards/vault-routes.ts';
import { USER_VAULT_REWARDS } from './rewards/vault-user-routes.ts';
import { SEASON_OPERATIONS } from './seasons/routes.ts';
import { TOKEN_OPERATIONS } from './tokens/routes.ts';
import { SHARE_MINT_OPERATIONS } from './tokens/share-mint-routes.ts';
import { VAULT_POSITION_OPERATIONS } from './vault-positions/history-routes.ts';
import { VAULT_USER_OPERATIONS } from './vault-positions/routes.ts';
import { VAULT_BACKTEST } from './vaults/backtest-routes.ts';
import { VAULT_HISTORIES, VAULT_HISTORY } from './vaults/history-routes.ts';
import { PRIVATE_CREDIT_OPERATIONS } from './vaults/private-credit-routes.ts';
import { VAULT_RISK } from './vaults/risk-routes.ts';
import { VAULT_OPERATIONS } from './vaults/routes.ts';
import { VAULT_TRANSACTIONS } from './vaults/transaction-routes.ts';
import { ENQUEUED_WITHDRAWALS } from './withdraw-queues/transaction-routes.ts';

/** Tokens and earn vaults. */
export const EARN_OPERATIONS: readonly Operation[] = [
  ...TOKEN_OPERATIONS,
  ...PRICE_OPERATIONS,
  ...VAULT_OPERATIONS,
  ...PRIVATE_CREDIT_OPERATIONS,
  VAULT_HISTORY,
  VAULT_HISTORIES,
  VAULT_BACKTEST,
  VAULT_TRANSACTIONS,
  VAULT_RISK,
  ...CURATOR_OPERATIONS,
  ENQUEUED_WITHDRAWALS,
  ALL_VAULT_TRANSACTIONS,
  ...VAULT_USER_OPERATIONS,
  ...VAULT_POSITION_OPERATIONS,
  ...VAULT_REWARD_OPERATIONS,
  USER_VAULT_REWARDS,
  ...SEASON_OPERATIONS,
  ...SHARE_MINT_OPERATIONS,
  ...FARM_TRANSACTION_OPERATIONS,
];
