import type { RequestOptions, SluiceClient } from '../client.ts';
import type { BuildActionOptions } from './build-action.ts';
import {
  type ActionPlan,
  BUILD_VAULT_EXIT,
  type PlanPreview,
  PREVIEW_VAULT_EXIT,
  type VaultExit,
} from './documents.ts';
import { refusal } from './refusal.ts';

/**
 * Builds an exit of a vault as one plan: a withdrawal of what the vault pays now, and tickets in the withdraw queues of its
 * reserves for the rest. Throws the refusal.
 *
 * @example
 * const { transactions } = await buildVaultExit(client, { wallet, vault, amount: { all: 'ALL' } });
 */
export async function buildVaultExit(
  client: SluiceClient,
  exit: VaultExit,
  { simulate = false, ...options }: BuildActionOptions = {},
): Promise<ActionPlan> {
  const { built } = (await client.query(BUILD_VAULT_EXIT, { input: exit, simulate }, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}

/**
 * The steps of an exit, which say what is paid and what waits, and its effect. Throws the refusal, as `buildVaultExit` does.
 *
 * @example
 * const { steps } = await previewVaultExit(client, { wallet, vault, amount: { shares: '12.5' } });
 */
export async function previewVaultExit(
  client: SluiceClient,
  exit: VaultExit,
  options: RequestOptions = {},
): Promise<PlanPreview> {
  const { built } = (await client.query(PREVIEW_VAULT_EXIT, { input: exit }, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}
