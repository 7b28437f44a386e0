import { type ExecutionResult, responsePathAsArray } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { meterObjects } from '../cost/meter-objects.ts';
import type { ResolvedObjects } from '../cost/resolved-objects.ts';
import { refusal } from '../mask-error.ts';

/** Stops an execution that works too much, exceeds its deadline or has lost its caller. */
export function useWorkBudget(): Plugin<GraphQLContext, ServerContext> {
  return {
    onSchemaChange({ schema }) {
      meterObjects(schema);
    },
    onExecute({ args, executeFn, setExecuteFn }) {
      const { objects, request } = args.contextValue;
      setExecuteFn(async (executed) => {
        const unlink = objects.work.follow(request.signal);
        try {
          const result = await executeFn(executed);
          return objects.signal.aborted ? stoppedResult(objects) : result;
        } catch (error) {
          if (!objects.signal.aborted) throw error;
          return stoppedResult(objects);
        } finally {
          unlink();
        }
      });
    },
  };
}

/** Only an error: partial data would end at an arbitrary field. */
function stoppedResult({ overrunAt, signal: { reason } }: ResolvedObjects): ExecutionResult {
  const error = isCodedError(reason) ? reason : new SluiceError('REQUEST_CANCELLED', { what: 'The request' });
  const location =
    overrunAt === undefined ? {} : { nodes: overrunAt.fieldNodes, path: responsePathAsArray(overrunAt.path) };
  return { errors: [refusal(error, location)] };
}
