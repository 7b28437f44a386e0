import type { FieldPlan } from './operation-plan.ts';
import type { ValueShape } from './value-shapes.ts';

export const joinChunks = (chunks: readonly (string | Promise<string>)[]): string => chunks.join('');

/** The JSON of a leaf that is a property of its object. Undefined: the field has to be resolved and completed. */
export function propertyJson({ shape }: FieldPlan, property: string, source: unknown): string | undefined {
  if (shape.kind !== 'leaf' || typeof source !== 'object' || source === null) return undefined;
  try {
    return shape.write.fast((source as Readonly<Record<string, unknown>>)[property]);
  } catch {
    // Resolving the field throws the same error, with its path.
    return undefined;
  }
}

export function nullJson({ parentType, field }: FieldPlan, { nonNull }: ValueShape): 'null' {
  if (!nonNull) return 'null';
  throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${field.name}.`);
}

export function isPromise<T>(value: T | Promise<T> | PromiseLike<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
