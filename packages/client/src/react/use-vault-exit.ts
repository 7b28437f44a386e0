import type { VaultExit } from '../actions/documents.ts';
import { runVaultExit } from '../actions/run-action.ts';
import { type RunState, useRun } from './use-run.ts';

/**
 * An exit of a vault, run as one plan. Null while the amount is empty or malformed. Its steps are the answer to
 * `PREVIEW_VAULT_EXIT`.
 *
 * @example
 * const { run, start } = useVaultExit({ wallet, vault, amount: { all: 'ALL' } });
 */
export const useVaultExit = (exit: VaultExit | null): RunState =>
  useRun(exit && ((client, signer, request) => runVaultExit(client, exit, signer, request)));
