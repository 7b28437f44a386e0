/** A JSON object whose fields are looked at one by one. */
type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords of a schema that hold one schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'not'];
const LIST = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties'];

/** Examples are data: they may have fields that look like schemas. */
const EXAMPLES = ['example', 'examples'];

/**
 * Rewrites an OpenAPI 3.1 document for 3.0, whose schemas know no lists of types, no null as a type, no constants, no
 * numbers as exclusive bounds and nothing beside a reference. Everything else is the same in both.
 *
 * @param version such as `3.0.0`
 */
export function openApi30({ webhooks: _, ...document }: Json, version: string): Json {
  return { ...mapObject(document, rewrite), openapi: version };
}

const mapObject = (object: Json, map: (key: string, value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));

/** A part of the document outside of schemas. */
function rewrite(key: string, value: unknown): unknown {
  if (EXAMPLES.includes(key)) return value;
  if (key === 'schema') return schema30(value);
  if (key === 'schemas' && isObject(value)) return mapObject(value, (_, each) => schema30(each));
  if (Array.isArray(value)) return value.map((item) => rewrite('', item));
  return isObject(value) ? mapObject(value, rewrite) : value;
}

function schema30(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { $ref, ...beside } = mapObject(value, subschemas);
  if ($ref === undefined) return withoutNull(oldKeywords(beside));
  return Object.keys(beside).length === 0 ? { $ref } : { allOf: [{ $ref }], ...beside };
}

function subschemas(key: string, value: unknown): unknown {
  if (ONE.includes(key)) return schema30(value);
  if (LIST.includes(key) && Array.isArray(value)) return value.map(schema30);
  return NAMED.includes(key) && isObject(value) ? mapObject(value, (_, each) => schema30(each)) : value;
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

function oldKeywords({ const: only, examples, ...schema }: Json): Json {
  const bounds = BOUNDS.flatMap(([exclusive, bound]) =>
    typeof schema[exclusive] === 'number'
      ? [
          [bound, schema[exclusive]],
          [exclusive, true],
        ]
      : [],
  );
  return {
    ...schema,
    ...Object.fromEntries(bounds),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] } : {}),
  };
}

const NULL = 'null';

/** One that allows null as a type, as one that is nullable. */
function withoutNull(schema: Json): Json {
  const { type, anyOf, ...rest } = schema;
  if (type === NULL) return { ...rest, nullable: true, enum: [null] };
  if (Array.isArray(type)) {
    const types = type.filter((each) => each !== NULL);
    const one = types.length === 1 ? { type: types[0] } : { anyOf: types.map((each) => ({ type: each })) };
    return { ...one, ...rest, ...(types.length < type.length ? { nullable: true } : {}) };
  }
  if (!Array.isArray(anyOf)) return schema;
  // Those of the list are rewritten already.
  const others = anyOf.filter((each) => !isNull(each));
  if (others.length === anyOf.length) return schema;
  const [first, ...more] = others;
  const reference = isObject(first) && '$ref' in first ? { allOf: [first] } : first;
  return {
    ...(more.length === 0 && isObject(reference) ? reference : { anyOf: others }),
    ...rest,
    nullable: true,
  };
}

const isNull = (schema: unknown): boolean =>
  isObject(schema) && Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null;
