/** A piece of JSON: text, or its bytes where somebody keeps them ready. */
type Part = string | Buffer;

/**
 * JSON that is made only when the answer is written: an answer of many accounts then never exists twice in memory.
 * What it reads must not change afterwards; accounts of the ledger never do.
 */
export class RawJson {
  readonly part: () => Part;

  constructor(part: () => Part) {
    this.part = part;
  }

  text(): string {
    return this.part().toString();
  }
}

/** What a method may answer. Integers of any size are `bigint` and written digit by digit, as a 64-bit node does. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A 64-bit float as a node writes it: whole numbers keep their `.0`, so that readers see that it is not an integer. */
export function float(value: number): RawJson {
  return new RawJson(() =>
    Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value),
  );
}

/** A value that came from outside in JSON's own shape, such as the error of a transaction. */
export function foreign(value: unknown): RawJson {
  return new RawJson(() => textOf(value));
}

export function toText(value: Json): string {
  return textOf(value);
}

function textOf(value: unknown): string {
  const parts: Part[] = [];
  write(value, (part) => parts.push(part));
  return parts.join('');
}

/** One flush per this many characters keeps large answers out of one giant string. */
const CHUNK_CHARACTERS = 1 << 20;

/** The bytes of an answer, in pieces. */
export function toChunks(value: Json): Buffer[] {
  const chunks: Buffer[] = [];
  let parts: string[] = [];
  let characters = 0;
  const flush = () => {
    chunks.push(Buffer.from(parts.join(''), 'utf8'));
    parts = [];
    characters = 0;
  };
  write(value, (part) => {
    if (typeof part !== 'string') {
      if (characters > 0) flush();
      chunks.push(part);
      return;
    }
    parts.push(part);
    characters += part.length;
    if (characters >= CHUNK_CHARACTERS) flush();
  });
  if (characters > 0) flush();
  return chunks;
}

function write(value: unknown, emit: (part: Part) => void): void {
  if (value instanceof RawJson) emit(value.part());
  else if (typeof value === 'bigint') emit(value.toString());
  else if (Array.isArray(value)) {
    emit('[');
    value.forEach((item, index) => {
      if (index > 0) emit(',');
      write(item, emit);
    });
    emit(']');
  } else if (typeof value === 'object' && value !== null) {
    let separator = '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      emit(`${separator}${JSON.stringify(key)}:`);
      write(item, emit);
      separator = ',';
    }
    emit(separator === '{' ? '{}' : '}');
  } else emit(JSON.stringify(value ?? null));
}
