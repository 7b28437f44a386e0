import type { Action } from '../actions/documents.ts';
import { runPlan } from '../actions/run-action.ts';
import { type RunState, useRun } from './use-run.ts';

/**
 * Up to six actions of one wallet as a plan, run in order. Without actions there is nothing to start. Its effects, by step
 * and in all, are the answer to `PREVIEW_PLAN`.
 *
 * @example
 * const { run, start } = usePlan([repay, withdraw]);
 */
export const usePlan = (actions: readonly Action[]): RunState =>
  useRun(
    actions.length === 0 ? null : (client, signer, request) => runPlan(client, actions, signer, request),
  );
