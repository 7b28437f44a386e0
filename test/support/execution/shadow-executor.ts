import { type ExecutionArgs, type ExecutionResult, execute, print } from 'graphql';
import type { GraphQLContext } from '../../../src/graphql/context.ts';
import { Warnings } from '../../../src/graphql/warnings.ts';
import { comparable, difference } from './compare-answers.ts';
import { objectsWithoutPauses } from './objects-without-pauses.ts';

type Execution = typeof import('../../../src/graphql/planned-execution.ts');

/** Fields whose value changes between two executions. */
const CHANGING = /\b(viewAgeMs|latencyMs|lagMs)\b/;

/** Executions that differ always still differ after these. */
const MOST_PAIRS = 20;

/** Number of comparisons, and the differences found. */
export const shadow = { compared: 0, differences: [] as string[] };

/** Runs graphql-js after each planned execution, in the same session, and compares: any suite becomes a comparison. */
export function withShadow(actual: Execution): Execution {
  return {
    ...actual,
    executePlanned(args) {
      const planned = actual.executePlanned(args);
      return planned === null ? null : compareWithReference(actual, args, planned);
    },
  };
}

async function compareWithReference(
  actual: Execution,
  args: ExecutionArgs,
  planned: ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const result = await planned;
  const context = args.contextValue as GraphQLContext;
  const query = print(args.document);
  if (context.objects.signal.aborted || CHANGING.test(query)) return result;
  const ours = comparable(result, context);
  const executeWith = async (executor: (args: ExecutionArgs) => ReturnType<typeof execute> | null) => {
    const objects = objectsWithoutPauses(context.objects.work.ceiling);
    const contextValue = { ...context, objects, warnings: new Warnings() };
    return comparable((await executor({ ...args, contextValue })) ?? {}, contextValue);
  };
  const reference = await executeWith(execute);
  let found = difference(reference, ours);
  // Our answer may have paused, and values read from the chain, such as a blockhash, may have changed in between: compare
  // again without pauses, until no slot has passed.
  for (let pair = 0; found !== undefined && pair < MOST_PAIRS; pair += 1) {
    found = difference(await executeWith(execute), await executeWith(actual.executePlanned));
  }
  shadow.compared += 1;
  if (found !== undefined)
    shadow.differences.push(`${query}\n${JSON.stringify(args.variableValues)}\n${found}`);
  return result;
}
