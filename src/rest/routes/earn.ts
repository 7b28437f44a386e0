import type { Operation } from '../operation.ts';
import { FARM_TRANSACTION_OPERATIONS } from './farm-transactions.ts';
import { SHARE_MINT_OPERATIONS } from './share-mints.ts';
import { TOKEN_OPERATIONS } from './tokens.ts';
import { VAULT_HISTORIES, VAULT_HISTORY } from './vault-history.ts';
import { VAULT_POSITION_OPERATIONS } from './vault-positions.ts';
import { VAULT_REWARD_OPERATIONS } from './vault-rewards.ts';
import { VAULT_TRANSACTIONS } from './vault-transactions.ts';
import { VAULT_USER_OPERATIONS } from './vault-users.ts';
import { VAULT_OPERATIONS } from './vaults.ts';

/** Tokens and earn vaults. */
export const EARN_OPERATIONS: readonly Operation[] = [
  ...TOKEN_OPERATIONS,
  ...VAULT_OPERATIONS,
  VAULT_HISTORY,
  VAULT_HISTORIES,
  VAULT_TRANSACTIONS,
  ...VAULT_USER_OPERATIONS,
  ...VAULT_POSITION_OPERATIONS,
  ...VAULT_REWARD_OPERATIONS,
  ...SHARE_MINT_OPERATIONS,
  ...FARM_TRANSACTION_OPERATIONS,
];
