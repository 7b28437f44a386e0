import { ALL_VAULT_TRANSACTIONS } from './bulk/vault-routes.ts';
import { FARM_TRANSACTION_OPERATIONS } from './farms/routes.ts';
import type { Operation } from './operation/operation.ts';
import { VAULT_REWARD_OPERATIONS } from './rewards/vault-routes.ts';
import { TOKEN_OPERATIONS } from './tokens/routes.ts';
import { SHARE_MINT_OPERATIONS } from './tokens/share-mint-routes.ts';
import { VAULT_POSITION_OPERATIONS } from './vault-positions/history-routes.ts';
import { VAULT_USER_OPERATIONS } from './vault-positions/routes.ts';
import { VAULT_BACKTEST } from './vaults/backtest-routes.ts';
import { VAULT_HISTORIES, VAULT_HISTORY } from './vaults/history-routes.ts';
import { VAULT_OPERATIONS } from './vaults/routes.ts';
import { VAULT_TRANSACTIONS } from './vaults/transaction-routes.ts';
import { ENQUEUED_WITHDRAWALS } from './withdraw-queues/transaction-routes.ts';

/** Tokens and earn vaults. */
export const EARN_OPERATIONS: readonly Operation[] = [
  ...TOKEN_OPERATIONS,
  ...VAULT_OPERATIONS,
  VAULT_HISTORY,
  VAULT_HISTORIES,
  VAULT_BACKTEST,
  VAULT_TRANSACTIONS,
  ENQUEUED_WITHDRAWALS,
  ALL_VAULT_TRANSACTIONS,
  ...VAULT_USER_OPERATIONS,
  ...VAULT_POSITION_OPERATIONS,
  ...VAULT_REWARD_OPERATIONS,
  ...SHARE_MINT_OPERATIONS,
  ...FARM_TRANSACTION_OPERATIONS,
];
