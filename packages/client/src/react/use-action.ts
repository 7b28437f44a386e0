import type { Action } from '../actions/documents.ts';
import { runAction } from '../actions/run-action.ts';
import { type PreviewOptions, type PreviewState, usePreview } from './use-preview.ts';
import { type RunState, useRun } from './use-run.ts';

export interface ActionState extends RunState {
  readonly preview: PreviewState;
}

/**
 * An action from the amount to its effect on the page. Pass null while the amount is empty or malformed:
 *
 * ```ts
 * const amount = Decimal.parse(text);
 * const { preview, run, start } = useAction(
 *   amount && { vaultDeposit: { wallet, vault, amount: { tokens: amount.toString() } } },
 * );
 * ```
 *
 * An action that runs goes on when its component is unmounted: the user may have signed it already.
 */
export function useAction(action: Action | null, options: PreviewOptions = {}): ActionState {
  const preview = usePreview(action, options);
  const state = useRun(action && ((client, signer, request) => runAction(client, action, signer, request)));
  return { preview, ...state };
}
