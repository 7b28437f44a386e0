import type { z } from '@hono/zod-openapi';

/**
 * An unknown number in an answer. JSON shows it as zero, because the contract has no null there, and the header
 * `X-Unknown` names its field.
 */
export class Unknown<Zero extends string | number> {
  readonly #zero: Zero;

  constructor(zero: Zero) {
    this.#zero = zero;
  }

  toJSON(): Zero {
    return this.#zero;
  }
}

export const UNKNOWN_DECIMAL = new Unknown('0');
export const UNKNOWN_NUMBER = new Unknown(0);

/**
 * Type of an operation's return value, given its schema. It is only serialised, so it may contain shared, read-only
 * objects of the services, and unknown numbers.
 */
export type AnswerOf<S extends z.ZodType> = Answered<z.input<S>>;

type Answered<T> = T extends object
  ? { readonly [K in keyof T]: Answered<T[K]> }
  : T extends number
    ? T | Unknown<0>
    : T extends string
      ? string extends T
        ? T | Unknown<'0'>
        : T
      : T;

/**
 * The fields of an answer that hold an unknown number, sorted. A nested field is named by its path, such as
 * `refreshedStats.leverage`; items of a list share the name of their field.
 */
export function unknownFields(answer: unknown): readonly string[] {
  const names = new Set<string>();
  collect(answer, '', names);
  return [...names].sort();
}

function collect(value: unknown, path: string, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Unknown) names.add(path);
  else if (Array.isArray(value)) for (const item of value) collect(item, path, names);
  else {
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'object') collect(item, path === '' ? name : `${path}.${name}`, names);
    }
  }
}
