import type { ExecutionResult, GraphQLError } from 'graphql';

/** Data that was written as JSON when it was made; its pieces are joined once, with the rest of the answer. */
export class WrittenData {
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }

  /** For a reader who wants values. */
  toJSON(): unknown {
    return JSON.parse(this.pieces.join(''));
  }
}

interface WrittenResult extends ExecutionResult {
  /** The server asks a result for its own JSON. */
  readonly stringify: (result: ExecutionResult) => string;
}

/** The result of an execution, its parts in the order of graphql-js. */
export function writtenResult(
  pieces: readonly string[] | null,
  errors: readonly GraphQLError[],
): WrittenResult {
  const data = (pieces === null ? null : new WrittenData(pieces)) as ExecutionResult['data'];
  return { ...(errors.length === 0 ? {} : { errors }), data: data ?? null, stringify: resultText };
}

/** The JSON of a result whose data is written already. */
function resultText(result: ExecutionResult): string {
  let data: readonly string[] = [];
  const [before, after]: [string[], string[]] = [[], []];
  let parts = before;
  for (const [name, value] of Object.entries(result)) {
    const separator = before.length === 0 && data.length === 0 ? '{' : ',';
    if (value instanceof WrittenData) {
      parts.push(`${separator}"${name}":`);
      data = value.pieces;
      parts = after;
      continue;
    }
    const text = JSON.stringify(value);
    if (text !== undefined) parts.push(`${separator}"${name}":${text}`);
  }
  return [...before, ...data, ...after, '}'].join('');
}
