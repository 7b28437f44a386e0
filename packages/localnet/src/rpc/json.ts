/** A piece of JSON: text, or bytes from a cache. */
type Part = string | Buffer;

/**
 * JSON that is produced only when the response is written, so a response with many accounts never exists
 * twice in memory. What it reads must not change in the meantime; chain accounts never do.
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

/** The result of a method. Integers of any size are `bigint` and written exactly, as a node does. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A 64-bit float as a node writes it: whole numbers keep their `.0` to show that they are not integers. */
export function float(value: number): RawJson {
  return new RawJson(() =>
    Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value),
  );
}

/** A value that is already in JSON's shape, such as the error of a transaction. */
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

/** Flushing after this many characters avoids one giant string. */
const CHUNK_CHARACTERS = 1 << 20;

/** The bytes of a response, in chunks. */
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
