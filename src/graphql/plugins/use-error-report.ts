import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from '../../telemetry/logger.ts';
import type { ServerContext } from '../context.ts';
import { faultOf } from '../mask-error.ts';

const MAX_MESSAGE_LENGTH = 500;
/** Per request; the same fault at several paths counts once. */
const MAX_FAULTS_LOGGED = 5;

/**
 * Logs the internal faults of masked errors with the request id, adds the id to each masked error, truncates long
 * messages, which quote the caller, and completes `retryable`.
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

/** The errors for the caller. Internal faults are logged with the request id. */
export function reportedErrors(errors: readonly GraphQLError[], id: string, logger: Logger): GraphQLError[] {
  const faults = new Map<string, { fault: Error; occurrences: number }>();
  const shown = errors.map((error) => {
    const fault = faultOf(error);
    if (fault === undefined) return completed(error);
    const known = faults.get(fault.message);
    faults.set(fault.message, { fault, occurrences: (known?.occurrences ?? 0) + 1 });
    return copyError(error, error.message, { requestId: id });
  });
  for (const { fault, occurrences } of [...faults.values()].slice(0, MAX_FAULTS_LOGGED)) {
    logger.error({ id, err: fault, occurrences }, 'request failed');
  }
  return shown;
}

/** Our own errors say whether a retry may succeed. Those of graphql-js and the server are mistakes in the request. */
function completed(error: GraphQLError): GraphQLError {
  const { message, extensions } = error;
  const isLong = message.length > MAX_MESSAGE_LENGTH;
  if (!isLong && extensions.retryable !== undefined) return error;
  const { retryable = false } = extensions;
  return copyError(error, isLong ? `${message.slice(0, MAX_MESSAGE_LENGTH)}...` : message, { retryable });
}

function copyError(error: GraphQLError, message: string, extensions: object): GraphQLError {
  return new GraphQLError(message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: { ...error.extensions, ...extensions },
  });
}
