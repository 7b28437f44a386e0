import type { ExecutionResult, GraphQLError } from 'graphql';

/** A result whose executor has a way of its own to write it. */
type Written = ExecutionResult & { readonly stringify?: (result: ExecutionResult) => string };

/** The JSON of an answer; what errors say to the HTTP layer is left out. */
export function resultJson(result: ExecutionResult): string {
  const { stringify = JSON.stringify, ...plain } = result as Written;
  if (plain.errors === undefined) return stringify(plain);
  return stringify({ ...plain, errors: plain.errors.map(toldError) as unknown as GraphQLError[] });
}

function toldError(error: GraphQLError): object {
  const { http, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}
