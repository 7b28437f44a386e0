import { PothosValidationError } from '@pothos/core';
import { GraphQLError, isValueNode } from 'graphql';
import {
  type CodedError,
  httpStatusOf,
  isCodedError,
  isRetryable,
  SluiceError,
} from '../errors/sluice-error.ts';

/** The location of an error in the query and in the answer. */
type Place = Pick<GraphQLError, 'nodes' | 'path'>;

/** Converts a coded error: message, code, the numbers of its context, and whether a retry may succeed. */
function toGraphQLError(error: CodedError, at?: Partial<Place>, more: object = {}): GraphQLError {
  const numbers = Object.entries(error.context).filter(([, value]) => typeof value === 'number');
  return new GraphQLError(error.message, {
    nodes: at?.nodes ?? null,
    path: at?.path ?? null,
    extensions: {
      ...Object.fromEntries(numbers),
      ...more,
      code: error.code,
      retryable: isRetryable(error),
    },
  });
}

/** An error that rejects the whole request. The response gets the HTTP status of the error. */
export function refusal(error: CodedError, at?: Partial<Place>): GraphQLError {
  return toGraphQLError(error, at, { http: { status: httpStatusOf(error) } });
}

/**
 * Converts an error to what the caller may see. Coded errors, syntax errors and validation errors are shown. Anything
 * else becomes INTERNAL without detail; the original error stays attached for the log.
 */
export function maskError(error: unknown): GraphQLError {
  if (isCodedError(error)) return refusal(error);
  if (!(error instanceof GraphQLError)) return internalError(error);
  const cause = rootCause(error);
  if (isCodedError(cause)) return toGraphQLError(cause, error);
  if (cause instanceof PothosValidationError) {
    return toGraphQLError(new SluiceError('BAD_REQUEST', { reason: cause.message }), error);
  }
  if (!(cause instanceof GraphQLError)) return internalError(cause, error);
  // Resolvers throw coded errors. An error with a path and no code is a value that a scalar could not serialise, unless it
  // points to a value in the document: then an argument got a null variable.
  const isOfDocument = cause.nodes?.some((node) => isValueNode(node)) ?? false;
  if (cause.extensions.code === undefined && error.path !== undefined && !isOfDocument)
    return internalError(cause, error);
  return withoutInternals(error, cause);
}

/** The original error of one that was masked as INTERNAL; undefined for any other. */
export function faultOf(error: GraphQLError): Error | undefined {
  return error.extensions.code === 'INTERNAL' ? error.originalError : undefined;
}

function rootCause(error: GraphQLError): Error {
  const { originalError } = error;
  if (originalError === undefined || originalError === null) return error;
  return originalError instanceof GraphQLError ? rootCause(originalError) : originalError;
}

function internalError(fault: unknown, at?: Partial<Place>): GraphQLError {
  const { message, extensions, nodes, path } = toGraphQLError(new SluiceError('INTERNAL', {}), at);
  const originalError = fault instanceof Error ? fault : new Error(String(fault));
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    path: path ?? null,
    extensions,
    originalError,
  });
}

/** Drops the parser's error that the HTTP layer attaches; its message is not for the caller. */
function withoutInternals(error: GraphQLError, cause: GraphQLError): GraphQLError {
  const { originalError, http, ...extensions } = cause.extensions;
  const status = originalError === undefined ? http : { ...(http ?? {}), spec: false };
  return new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: {
      ...extensions,
      code: extensions.code ?? 'GRAPHQL_VALIDATION_FAILED',
      ...(status === undefined ? {} : { http: status }),
    },
  });
}
