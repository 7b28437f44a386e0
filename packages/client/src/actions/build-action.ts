import type { RequestOptions, SluiceClient } from '../client.ts';
import type { Document } from '../document.ts';
import type { ResultOf } from '../graphql.ts';
import { type Action, type ActionPlan, BUILDERS } from './documents.ts';
import { refusal } from './refusal.ts';

export interface BuildActionOptions extends RequestOptions {
  /** Also simulates the transaction on the cluster, in `simulation` of the plan. */
  readonly simulate?: boolean;
}

/**
 * Builds the transactions of an action. Throws the refusal, for example `KVAULT_NOT_FOUND`.
 *
 * @example
 * const { transactions, simulation } = await buildAction(client, action, { simulate: true });
 */
export async function buildAction(
  client: SluiceClient,
  action: Action,
  { simulate = false, ...options }: BuildActionOptions = {},
): Promise<ActionPlan> {
  const { built } = (await callBuilder(client, action, simulate, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}

type Builder = Document<
  ResultOf<(typeof BUILDERS)[keyof typeof BUILDERS]>,
  { readonly input: never; readonly simulate: boolean }
>;

function callBuilder(client: SluiceClient, action: Action, simulate: boolean, options: RequestOptions) {
  const builders: Readonly<Record<string, Builder | undefined>> = BUILDERS;
  const given: readonly (readonly [string, unknown])[] = Object.entries(action);
  for (const [name, input] of given) {
    const builder = builders[name];
    if (builder === undefined || input === undefined || input === null) continue;
    // `Action` types the input of each name.
    return client.query(builder, { input: input as never, simulate }, options);
  }
  throw new TypeError(`The action has none of the fields ${Object.keys(BUILDERS).join(', ')}.`);
}
