import type { SluiceClient } from '../client.ts';
import type { BuildActionOptions } from './build-action.ts';
import { type ActionPlan, BUILD_VAULT_REBALANCE, type VaultRebalance } from './documents.ts';
import { refusal } from './refusal.ts';

/**
 * Builds the moves that reach target weights and caps of a vault as one plan. What stops a target is a warning of the plan;
 * `Vault.plan` of the graph says more about it. Throws the refusal.
 *
 * @example
 * const { transactions } = await buildVaultRebalance(client, { wallet, vault, targets: [{ reserve, weight: '300' }] });
 */
export async function buildVaultRebalance(
  client: SluiceClient,
  rebalance: VaultRebalance,
  { simulate = false, ...options }: BuildActionOptions = {},
): Promise<ActionPlan> {
  const { built } = (await client.query(BUILD_VAULT_REBALANCE, { input: rebalance, simulate }, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}
