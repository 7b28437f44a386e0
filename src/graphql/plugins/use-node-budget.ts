import { type ExecutionArgs, type ExecutionResult, responsePathAsArray } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { meterNodes } from '../cost/meter-nodes.ts';
import type { NodeBudget } from '../cost/node-budget.ts';
import { refusal } from '../mask-error.ts';

/** Stops a query whose answer grows too large, which its cost alone cannot tell, and one whose time is over or caller gone. */
export function useNodeBudget(): Plugin<GraphQLContext, ServerContext> {
  return {
    onSchemaChange({ schema }) {
      meterNodes(schema);
    },
    onExecute({ args, executeFn, setExecuteFn }) {
      const { budget, request } = args.contextValue;
      setExecuteFn(async (executed) => {
        const leave = () => budget.abandon(request.signal.reason);
        if (request.signal.aborted) leave();
        else request.signal.addEventListener('abort', leave, { once: true });
        try {
          const result = await executeFn(stoppable(executed, budget.signal));
          return budget.signal.aborted ? stopped(budget) : result;
        } catch (error) {
          if (!budget.signal.aborted) throw error;
          return stopped(budget);
        } finally {
          request.signal.removeEventListener('abort', leave);
        }
      });
    },
  };
}

/** The executor takes a signal; the type of its arguments, which is that of graphql-js, does not know it. */
function stoppable(args: ExecutionArgs, signal: AbortSignal): ExecutionArgs & { signal: AbortSignal } {
  return { ...args, signal };
}

/** Half an answer would be cut at a place that nobody chose: there is none at all. */
function stopped({ overrunAt, signal: { reason } }: NodeBudget): ExecutionResult {
  const error = isSluiceError(reason)
    ? reason
    : new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  const place =
    overrunAt === undefined ? {} : { nodes: overrunAt.fieldNodes, path: responsePathAsArray(overrunAt.path) };
  return { errors: [refusal(error, place)] };
}
