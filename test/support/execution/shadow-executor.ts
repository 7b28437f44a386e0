import { type ExecutionArgs, type ExecutionResult, execute, print } from 'graphql';
import type { GraphQLContext } from '../../../src/graphql/context.ts';
import { NodeBudget } from '../../../src/graphql/cost/node-budget.ts';
import { compared, difference } from './compare-answers.ts';

type Execution = typeof import('../../../src/graphql/planned-execution.ts');

/** What changes while one looks. */
const MOVING = /\b(viewAgeMs|latencyMs|lagMs)\b/;

/** How often both executors were asked, and where they differed. */
export const shadow = { asked: 0, differences: [] as string[] };

/** Executes by plans, as always, and asks graphql-js the same in the same session: every suite becomes a comparison. */
export function withShadow(actual: Execution): Execution {
  return {
    ...actual,
    executePlanned(args) {
      const planned = actual.executePlanned(args);
      return planned === null ? null : compareWithPlain(actual, args, planned);
    },
  };
}

async function compareWithPlain(
  actual: Execution,
  args: ExecutionArgs,
  planned: ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const result = await planned;
  const context = args.contextValue as GraphQLContext;
  const question = print(args.document);
  if (context.budget.signal.aborted || MOVING.test(question)) return result;
  const ours = compared(result, context);
  const asked = async (how: (args: ExecutionArgs) => ReturnType<typeof execute> | null) => {
    const contextValue = { ...context, budget: new NodeBudget(context.budget.ceiling) };
    return compared((await how({ ...args, contextValue })) ?? {}, contextValue);
  };
  const plain = await asked(execute);
  let found = difference(plain, ours);
  // What is read from the chain, as a blockhash, may have changed in between: then it is the same as the one after.
  if (found !== undefined && plain.live) found = difference(plain, await asked(actual.executePlanned));
  shadow.asked += 1;
  if (found !== undefined)
    shadow.differences.push(`${question}\n${JSON.stringify(args.variableValues)}\n${found}`);
  return result;
}
