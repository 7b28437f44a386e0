import type { OpenApiDocument } from './shared-components.ts';

/**
 * Simplifies references to schemas. The generator writes a described one as an intersection of the reference and its
 * description, for which client generators make another type.
 *
 * @throws Error for a named schema that is nullable: its component is nullable or not for all of its uses alike
 */
export function simplifyReferences({ components: { schemas = {} } = {} }: OpenApiDocument): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if ('type' in schema && schema.type?.includes('null')) throw nullable(name);
    simplify(schema);
  }
}

const nullable = (name: string) =>
  new Error(`the schema ${name} is nullable: replace .nullable() with orNull of src/rest/schemas/or-null.ts`);

/** A strict schema allows no further fields, so nothing could be valid under it and its extension. */
const extended = (name: string) =>
  new Error(`the schema ${name} is extended: spread its shape into a new z.strictObject instead`);

function simplify(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('allOf' in node && Array.isArray(node.allOf)) {
    const [reference, text, ...others]: unknown[] = node.allOf;
    if (others.length === 0 && isReference(reference) && typeof text === 'object' && text !== null) {
      if ('properties' in text) throw extended(reference.$ref);
      if ('type' in text) throw nullable(reference.$ref);
      Reflect.deleteProperty(node, 'allOf');
      Object.assign(node, reference, text);
    }
  }
  for (const child of Object.values(node)) simplify(child);
}

const isReference = (value: unknown): value is { readonly $ref: string } =>
  typeof value === 'object' && value !== null && '$ref' in value;
