import type { FieldPlan, ValueShape } from './plan.ts';

export const joined = (parts: readonly (string | Promise<string>)[]): string => parts.join('');

/** A leaf that its object has as a property, as most are; undefined for what has to go the usual way. */
export function plainText({ shape }: FieldPlan, property: string, source: unknown): string | undefined {
  if (shape.kind !== 'leaf' || typeof source !== 'object' || source === null) return undefined;
  try {
    return shape.write.usual((source as Readonly<Record<string, unknown>>)[property]);
  } catch {
    // Asked again where the error has its place in the answer.
    return undefined;
  }
}

export function nothing({ parentType, field }: FieldPlan, { nonNull }: ValueShape): 'null' {
  if (!nonNull) return 'null';
  throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${field.name}.`);
}

export function isPromise<T>(value: T | Promise<T> | PromiseLike<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
