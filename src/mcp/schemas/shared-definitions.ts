import type { JSONObject, JSONValue } from '@modelcontextprotocol/server';

/**
 * Writes each titled object of a JSON schema once, under `$defs`, and refers to it: the inputs of builders share many
 * types, and a model reads the schema with every request.
 */
export function withDefinitions(schema: JSONObject): JSONObject {
  const definitions = new Map<string, string>();
  const shared = inner(schema, definitions);
  const $defs = [...definitions].map(([title, text]) => [title, JSON.parse(text) as JSONValue] as const);
  return $defs.length === 0 ? shared : { ...shared, $defs: Object.fromEntries($defs) };
}

/** The same schema, the titled objects below it replaced by references. */
function inner(schema: JSONObject, definitions: Map<string, string>): JSONObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, replaced(value, definitions)] as const),
  );
}

function replaced(value: JSONValue, definitions: Map<string, string>): JSONValue {
  if (Array.isArray(value)) return value.map((each) => replaced(each, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { title, description, ...rest } = value;
  // A property may have that name too, but is then an object.
  if (typeof title !== 'string' || rest.type !== 'object') return inner(value, definitions);
  const definition = inner(rest, definitions);
  const text = JSON.stringify(definition);
  const known = definitions.get(title) ?? text;
  definitions.set(title, known);
  // Types with the same title may offer different fields.
  const use = known === text ? { $ref: `#/$defs/${title}` } : definition;
  return description === undefined ? use : { ...use, description };
}
