import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
} from 'graphql';
import type { GraphQLContext } from '../../../src/graphql/context.ts';
import { executePlanned } from '../../../src/graphql/planned-execution.ts';
import { type ComparedAnswer, comparable } from './compare-answers.ts';

/** The context of query resolvers; `watch` is for subscriptions. */
export type QueryContext = Omit<GraphQLContext, 'watch'>;

/** One operation for both executors. */
export interface ComparedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
  /** Creates a context per execution, on the same View. */
  readonly context: () => Promise<QueryContext>;
}

async function executeWith(
  { schema, document, variables, operationName, context }: ComparedOperation,
  run: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
): Promise<ComparedAnswer> {
  const contextValue = await context();
  const args: ExecutionArgs = { schema, document, variableValues: { ...variables }, contextValue };
  return comparable(await run(operationName === undefined ? args : { ...args, operationName }), contextValue);
}

/** Executes an operation with graphql-js and with the planned executor. */
export async function bothAnswers(
  operation: ComparedOperation,
): Promise<{ readonly reference: ComparedAnswer; readonly planned: ComparedAnswer }> {
  return {
    reference: await executeWith(operation, execute),
    planned: await executeWith(operation, (args) => {
      const result = executePlanned(args);
      if (result === null) throw new Error('no plan was made for a valid query');
      return result;
    }),
  };
}
