import type { VaultRebalance } from '../actions/documents.ts';
import { runVaultRebalance } from '../actions/run-action.ts';
import { type RunState, useRun } from './use-run.ts';

/**
 * Moves of a vault towards weights and caps, run as one plan. Null while a target is malformed. `Vault.plan` of the graph
 * previews them.
 *
 * @example
 * const { run, start } = useVaultRebalance({ wallet, vault, targets: [{ reserve, weight: '300' }] });
 */
export const useVaultRebalance = (rebalance: VaultRebalance | null): RunState =>
  useRun(rebalance && ((client, signer, request) => runVaultRebalance(client, rebalance, signer, request)));
