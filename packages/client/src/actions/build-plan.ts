import type { RequestOptions, SluiceClient } from '../client.ts';
import type { BuildActionOptions } from './build-action.ts';
import { type Action, type ActionPlan, BUILD_PLAN, type PlanPreview, PREVIEW_PLAN } from './documents.ts';
import { refusal } from './refusal.ts';

/**
 * Builds one to six actions of a wallet, in order, as one plan. Throws the refusal; `context.step` of the error is the
 * step that cannot work, from 0.
 *
 * @example
 * const { transactions, warnings } = await buildPlan(client, [repay, withdraw]);
 */
export async function buildPlan(
  client: SluiceClient,
  actions: readonly Action[],
  { simulate = false, ...options }: BuildActionOptions = {},
): Promise<ActionPlan> {
  const { built } = (await client.query(BUILD_PLAN, { actions: [...actions], simulate }, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}

/**
 * Previews a plan, by step and in all. Throws the refusal, as `buildPlan` does.
 *
 * @example
 * const { steps, preview } = await previewPlan(client, [repay, withdraw]);
 */
export async function previewPlan(
  client: SluiceClient,
  actions: readonly Action[],
  options: RequestOptions = {},
): Promise<PlanPreview> {
  const { built } = (await client.query(PREVIEW_PLAN, { actions: [...actions] }, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}
