import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from '../../telemetry/logger.ts';
import type { ServerContext } from '../context.ts';
import { faultOf } from '../mask-error.ts';

const MAX_MESSAGE_LENGTH = 500;
/** Of one request; the same fault in many places is one. */
const MAX_FAULTS_LOGGED = 5;

/**
 * Logs the faults behind masked errors under the id of their request, and gives the id to the caller with each. Messages
 * that quote the caller are cut to a length that can be read.
 */
export function useErrorReport(logger: Logger): Plugin<object, ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const { errors } = result as ExecutionResult;
      if (errors === undefined || errors.length === 0) return;
      setResult({ ...result, errors: reportedErrors(errors, serverContext.trace.id, logger) });
    },
  };
}

/** The errors as a caller may see them; the faults behind them are logged under the id of the request. */
export function reportedErrors(errors: readonly GraphQLError[], id: string, logger: Logger): GraphQLError[] {
  const faults = new Map<string, { fault: Error; places: number }>();
  const shown = errors.map((error) => {
    const fault = faultOf(error);
    if (fault === undefined) return error.message.length > MAX_MESSAGE_LENGTH ? shortened(error) : error;
    const known = faults.get(fault.message);
    faults.set(fault.message, { fault, places: (known?.places ?? 0) + 1 });
    return changed(error, error.message, { requestId: id });
  });
  for (const { fault, places } of [...faults.values()].slice(0, MAX_FAULTS_LOGGED)) {
    logger.error({ id, err: fault, places }, 'a request failed');
  }
  return shown;
}

function shortened(error: GraphQLError): GraphQLError {
  return changed(error, `${error.message.slice(0, MAX_MESSAGE_LENGTH)}...`, {});
}

function changed(error: GraphQLError, message: string, more: object): GraphQLError {
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: { ...error.extensions, ...more },
  });
}
