import { type ExecutionResult, responsePathAsArray } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { foldMeter } from '../../services/request/fold-meter.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { meterNodes } from '../cost/meter-nodes.ts';
import type { NodeBudget } from '../cost/node-budget.ts';
import { refusal } from '../mask-error.ts';

/** Stops an execution that resolves or computes too much, exceeds its deadline or has lost its caller. */
export function useNodeBudget(): Plugin<GraphQLContext, ServerContext> {
  return {
    onSchemaChange({ schema }) {
      meterNodes(schema);
    },
    onExecute({ args, executeFn, setExecuteFn }) {
      const { budget, request } = args.contextValue;
      setExecuteFn(async (executed) => {
        const abandon = () => budget.abandon(request.signal.reason);
        const { session } = executed.contextValue as Partial<GraphQLContext>;
        if (session !== undefined) foldMeter(session).onStep = (steps) => budget.takeFolded(steps);
        if (request.signal.aborted) abandon();
        else request.signal.addEventListener('abort', abandon, { once: true });
        try {
          const result = await executeFn(executed);
          return budget.signal.aborted ? stoppedResult(budget) : result;
        } catch (error) {
          if (!budget.signal.aborted) throw error;
          return stoppedResult(budget);
        } finally {
          request.signal.removeEventListener('abort', abandon);
        }
      });
    },
  };
}

/** Only an error: partial data would end at an arbitrary field. */
function stoppedResult({ overrunAt, signal: { reason } }: NodeBudget): ExecutionResult {
  const error = isCodedError(reason) ? reason : new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  const location =
    overrunAt === undefined ? {} : { nodes: overrunAt.fieldNodes, path: responsePathAsArray(overrunAt.path) };
  return { errors: [refusal(error, location)] };
}
