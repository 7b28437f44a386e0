import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './types.ts';

/** The GraphQL schema, built once per process. Unsorted: sorting builds the schema a second time, so only printing does it. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });
