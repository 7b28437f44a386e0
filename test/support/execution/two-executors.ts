import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
} from 'graphql';
import type { GraphQLContext } from '../../../src/graphql/context.ts';
import { NodeBudget } from '../../../src/graphql/cost/node-budget.ts';
import { executePlanned } from '../../../src/graphql/planned-execution.ts';
import { type ComparedAnswer, compared } from './compare-answers.ts';

/** What resolvers of queries get; only a subscription watches. */
export type QueryContext = Omit<GraphQLContext, 'watch'>;

/** One question to both executors. */
export interface TwoExecutions {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string | undefined;
  /** A context of its own for each, on the same View. */
  readonly context: () => Promise<QueryContext>;
}

async function asked(
  { schema, document, variables, operationName, context }: TwoExecutions,
  run: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
): Promise<ComparedAnswer> {
  const contextValue = await context();
  const args: ExecutionArgs = { schema, document, variableValues: { ...variables }, contextValue };
  return compared(await run(operationName === undefined ? args : { ...args, operationName }), contextValue);
}

/** What graphql-js answers, and what the plans answer. */
export async function bothAnswers(
  question: TwoExecutions,
): Promise<{ readonly plain: ComparedAnswer; readonly planned: ComparedAnswer }> {
  return {
    plain: await asked(question, execute),
    planned: await asked(question, (args) => {
      const result = executePlanned(args);
      if (result === null) throw new Error('no plan was made for a valid query');
      return result;
    }),
  };
}

export const freshBudget = (): NodeBudget => new NodeBudget(1_000_000);
