import type { ExecutionResult, GraphQLError } from 'graphql';

/** `data` that is already JSON. Its chunks are joined once, together with the rest of the response. */
export class SerializedData {
  readonly chunks: readonly string[];

  constructor(chunks: readonly string[]) {
    this.chunks = chunks;
  }

  /** The data as values, for callers that do not send JSON. */
  toJSON(): unknown {
    return JSON.parse(this.chunks.join(''));
  }
}

interface SerializedResult extends ExecutionResult {
  /** graphql-yoga calls it to write the response. */
  readonly stringify: (result: ExecutionResult) => string;
}

/** Keys are in the order of graphql-js: `errors`, then `data`. */
export function serializedResult(
  chunks: readonly string[] | null,
  errors: readonly GraphQLError[],
): SerializedResult {
  const data = (chunks === null ? null : new SerializedData(chunks)) as ExecutionResult['data'];
  return { ...(errors.length === 0 ? {} : { errors }), data: data ?? null, stringify };
}

function stringify(result: ExecutionResult): string {
  let data: readonly string[] = [];
  const [before, after]: [string[], string[]] = [[], []];
  let parts = before;
  for (const [name, value] of Object.entries(result)) {
    const separator = before.length === 0 && data.length === 0 ? '{' : ',';
    if (value instanceof SerializedData) {
      parts.push(`${separator}"${name}":`);
      data = value.chunks;
      parts = after;
      continue;
    }
    const json = JSON.stringify(value);
    if (json !== undefined) parts.push(`${separator}"${name}":${json}`);
  }
  return [...before, ...data, ...after, '}'].join('');
}
