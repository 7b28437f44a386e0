import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { unlessAborted } from '../../node/unless-aborted.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { executePlanned } from '../planned-execution.ts';

/** Which executor answers queries and mutations. graphql-js executes the events of subscriptions in either case. */
export type ExecutorName = 'planned' | 'graphql-js';

export function useExecutor(executor: ExecutorName): Plugin<GraphQLContext, ServerContext> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(executor === 'planned' ? executeWithPlan : executeWithGraphQLJs);
    },
  };
}

function executeWithPlan(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> {
  return executePlanned(args) ?? executeWithGraphQLJs(args);
}

/** graphql-js takes no signal: an aborted execution is left to finish without its caller. */
function executeWithGraphQLJs(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> {
  const { objects } = args.contextValue as GraphQLContext;
  const result = execute(args);
  return result instanceof Promise ? unlessAborted(result, objects.signal) : result;
}
