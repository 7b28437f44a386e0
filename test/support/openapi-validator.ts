import { readFileSync } from 'node:fs';
import { z } from 'zod';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: { readonly 'application/json': Media } }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The committed document. */
export const OPENAPI = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Document;

export function documented(method: string, path: string): DocumentedOperation {
  const found = OPENAPI.paths[path]?.[method];
  if (found === undefined) throw new Error(`openapi.json has no ${method} ${path}`);
  return found;
}

/** What a JSON Schema validator says against a value, with the document's own references; nothing when it fits. */
export function schemaProblems(schema: object, value: unknown): string[] {
  const result = validatorOf(schema).safeParse(value);
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** The same for the answer of an operation; a status that is not documented is a problem. */
export function answerProblems(method: string, path: string, status: number, value: unknown): string[] {
  const response = documented(method, path).responses[status];
  if (response === undefined) return [`${status} is not documented for ${method} ${path}`];
  return schemaProblems(response.content['application/json'].schema, value);
}

const validators = new Map<object, z.ZodType>();

function validatorOf(schema: object): z.ZodType {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const local = { ...schema, $defs: OPENAPI.components.schemas };
  const text = JSON.stringify(local).replaceAll('#/components/schemas/', '#/$defs/');
  const made = z.fromJSONSchema(JSON.parse(text) as JsonSchema);
  validators.set(schema, made);
  return made;
}
