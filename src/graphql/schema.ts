import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './types.ts';

/** The whole graph. Built once per process. What is printed of it is sorted there: sorting makes the schema once more. */
export const schema: GraphQLSchema = builder.toSchema({ sortSchema: false });
