import { PothosValidationError } from '@pothos/core';
import { GraphQLError } from 'graphql';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';

/** Where an error belongs in the query and in the answer. */
type Place = Pick<GraphQLError, 'nodes' | 'path'>;

/** An error of ours as the graph tells it: message, code, the numbers behind it, and whether trying again may help. */
export function toGraphQLError(error: SluiceError, at?: Partial<Place>, more: object = {}): GraphQLError {
  const numbers = Object.entries(error.context).filter(([, value]) => typeof value === 'number');
  return new GraphQLError(error.message, {
    nodes: at?.nodes ?? null,
    path: at?.path ?? null,
    extensions: {
      ...Object.fromEntries(numbers),
      ...more,
      code: error.code,
      retryable: error.retryable,
    },
  });
}

/** An error for which the request as a whole is refused; the answer has its HTTP status. */
export function refusal(error: SluiceError, at?: Partial<Place>): GraphQLError {
  return toGraphQLError(error, at, { http: { status: error.status } });
}

/**
 * What a caller may see of an error. Errors of the table are told; syntax and validation errors are the caller's own;
 * anything else is a fault of ours, of which only that is told. The fault stays with the error for the log.
 */
export function maskError(error: unknown): GraphQLError {
  if (isSluiceError(error)) return refusal(error);
  if (!(error instanceof GraphQLError)) return internalError(error);
  const cause = rootCause(error);
  if (isSluiceError(cause)) return toGraphQLError(cause, error);
  if (cause instanceof PothosValidationError) {
    return toGraphQLError(new SluiceError('BAD_REQUEST', { reason: cause.message }), error);
  }
  if (!(cause instanceof GraphQLError)) return internalError(cause, error);
  // Resolvers throw errors of the table: what has a path and no code came from a value of ours that cannot be shown.
  if (cause.extensions.code === undefined && error.path !== undefined) return internalError(cause, error);
  return withoutInternals(error, cause);
}

/** The fault that a masked error stands for; undefined when it stands for none. */
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

/** Errors of the HTTP layer come with the parser's own words, which are no business of the caller's. */
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
