import type { ExecutionResult, GraphQLError } from 'graphql';

/** The planned executor supplies its own serialization. */
type SerializableResult = ExecutionResult & { readonly stringify?: (result: ExecutionResult) => string };

/** The JSON of a result without `extensions.http`, which is for the HTTP layer only. */
export function resultJson(result: ExecutionResult): string {
  const { stringify = JSON.stringify, ...plain } = result as SerializableResult;
  if (plain.errors === undefined) return stringify(plain);
  return stringify({ ...plain, errors: plain.errors.map(publicError) as unknown as GraphQLError[] });
}

function publicError(error: GraphQLError): object {
  const { http, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions };
}
