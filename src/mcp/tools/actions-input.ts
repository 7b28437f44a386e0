import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { ACTION_OPTIONS } from '../../services/builds/action-options.ts';
import { InputSchemas } from '../schemas/input-schema.ts';

export const MAX_ACTIONS = 6;

/** Actions of one wallet, as the builders take them. */
export function actionsInput(schema: GraphQLSchema): z.ZodType<unknown[]> {
  const action = new InputSchemas(schema, { only: { BuildOptions: ACTION_OPTIONS } }).of('BuildAction');
  return z
    .array(action)
    .min(1)
    .max(MAX_ACTIONS)
    .describe('One to six actions of one wallet, in order. Each is an object with exactly one action.');
}

/** Options of the transactions as a whole. */
export function planOptions(schema: GraphQLSchema): z.ZodType {
  const all = new InputSchemas(schema).fieldNames('BuildOptions');
  const only = { BuildOptions: all.filter((name) => !ACTION_OPTIONS.some((each) => each === name)) };
  return new InputSchemas(schema, { only }).of('BuildOptions');
}
