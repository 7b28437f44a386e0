import { GraphQLError } from 'graphql';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';

/** An error of ours as the graph tells it: message, code, and whether trying again may help. */
export function toGraphQLError(error: SluiceError, at?: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: at?.nodes ?? null,
    path: at?.path ?? null,
    extensions: { code: error.code, retryable: error.retryable },
  });
}

/**
 * What a caller may see of an error. Errors of the table are told; syntax and validation errors are the caller's own;
 * anything else is a fault of ours, of which only that is told.
 */
export function maskError(error: unknown): Error {
  if (isSluiceError(error)) return toGraphQLError(error);
  if (!(error instanceof GraphQLError)) return toGraphQLError(new SluiceError('INTERNAL', {}));
  const { originalError } = error;
  if (originalError === undefined || originalError === null) return error;
  if (originalError instanceof GraphQLError) return maskError(originalError);
  return toGraphQLError(
    isSluiceError(originalError) ? originalError : new SluiceError('INTERNAL', {}),
    error,
  );
}
