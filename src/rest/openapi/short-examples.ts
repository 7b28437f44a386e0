import type { Operation } from '../operation/operation.ts';
import type { OpenApiDocument, Responses } from './shared-components.ts';

/** The parts of a JSON schema that say what may be left out of an example. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly ExampleSchema[];
  readonly items?: ExampleSchema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly additionalProperties?: ExampleSchema | boolean;
}

/** Number of list items in an example, unless the schema requires more. */
const SHOWN_ITEMS = 2;
/** A list whose first item is longer than this, in characters of JSON, shows that item alone. */
const LONG_ITEM = 1_500;
/** Longer strings are cut: account data in base64. */
const LONG_TEXT = 4_000;
/** A multiple of four, so that a cut string is still base64. */
const SHOWN_TEXT = 120;

/** Shortens the recorded answers of operations. */
export function shortExamples(
  { paths = {}, components: { schemas = {} } = {} }: OpenApiDocument,
  operations: readonly Operation[],
): void {
  for (const { method, path } of operations) {
    const answer: Responses[string] = paths[path]?.[method]?.responses?.[200] ?? {};
    for (const media of 'content' in answer ? Object.values(answer.content ?? {}) : []) {
      media.example = shortExample(media.example, media.schema ?? {}, schemas);
    }
  }
}

/** An example with only the first items of its lists, still valid under its schema. */
export function shortExample(
  value: unknown,
  schema: ExampleSchema,
  components: Readonly<Record<string, ExampleSchema>>,
): unknown {
  if (typeof value === 'string') return value.length > LONG_TEXT ? value.slice(0, SHOWN_TEXT) : value;
  if (typeof value !== 'object' || value === null) return value;
  const known = resolved(schema, components);
  if (Array.isArray(value)) {
    const { minItems = 0, items = {} } = known;
    return value
      .slice(0, Math.max(minItems, shownItems(value)))
      .map((item: unknown) => shortExample(item, items, components));
  }
  const { properties, additionalProperties } = known;
  const isMap = properties === undefined && typeof additionalProperties === 'object';
  const valueSchema = typeof additionalProperties === 'object' ? additionalProperties : {};
  const fields = Object.entries(value);
  const shown = isMap ? fields.slice(0, shownItems(fields)) : fields;
  return Object.fromEntries(
    shown.map(([name, field]) => [name, shortExample(field, properties?.[name] ?? valueSchema, components)]),
  );
}

const shownItems = (list: readonly unknown[]) =>
  JSON.stringify(list[0] ?? null).length > LONG_ITEM ? 1 : SHOWN_ITEMS;

/** The schema of an object or list. Of alternatives, the one that is not null. */
function resolved(schema: ExampleSchema, components: Readonly<Record<string, ExampleSchema>>): ExampleSchema {
  const { $ref, anyOf } = schema;
  const target = $ref === undefined ? anyOf?.[0] : components[$ref.slice($ref.lastIndexOf('/') + 1)];
  return target === undefined ? schema : resolved(target, components);
}
