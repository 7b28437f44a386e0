import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

export interface DocumentedOperation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers?: object;
        readonly content: Readonly<Record<string, Media>>;
      }
    >
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly license?: object };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** The text of the committed document. */
export const OPENAPI_TEXT = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');

/** A document with its parameters, responses and headers in place of references. References to schemas remain. */
export function resolvedDocument(text: string): OpenApiDocument {
  const components = (JSON.parse(text) as { components: Record<string, Record<string, object>> }).components;
  const resolve = (_: string, value: unknown) => {
    const [, kind = '', name = ''] = REFERENCE.exec((value as { $ref?: string } | null)?.$ref ?? '') ?? [];
    return components[kind]?.[name] ?? value;
  };
  // Twice, because a shared response refers to shared headers.
  return JSON.parse(JSON.stringify(JSON.parse(text, resolve)), resolve) as OpenApiDocument;
}

const REFERENCE = /^#\/components\/(parameters|responses|headers)\/([\w-]+)$/;

/** The committed document, resolved. */
export const OPENAPI = resolvedDocument(OPENAPI_TEXT);

/** The properties of a request body. */
export function bodyProperties({ requestBody }: DocumentedOperation): Properties | undefined {
  const schema = requestBody?.content['application/json'].schema;
  if (schema === undefined) return undefined;
  const { $ref = '' } = schema as { $ref?: string };
  const found = OPENAPI.components.schemas[$ref.replace('#/components/schemas/', '')] ?? schema;
  return (found as { properties?: Properties }).properties ?? {};
}

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function documented(method: string, path: string): DocumentedOperation {
  const found = OPENAPI.paths[path]?.[method];
  if (found === undefined) throw new Error(`openapi.json has no ${method} ${path}`);
  return found;
}

/** Validation errors of a value against a schema of the document; empty when it is valid. */
export function schemaProblems(schema: object, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

/** Validation errors of an answer. An undocumented status is one. */
export function answerProblems(method: string, path: string, status: number, value: unknown): string[] {
  const response = documented(method, path).responses[status];
  if (response === undefined) return [`${status} is not documented for ${method} ${path}`];
  const [media] = Object.values(response.content);
  return media === undefined ? [`${status} has no content`] : schemaProblems(media.schema, value);
}

const COMPONENTS = 'components.json';
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: COMPONENTS, components: { schemas: OPENAPI.components.schemas } });
/** By the text of the schema: many operations refer to the same one, which takes long to compile. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('#/components/', `${COMPONENTS}#/components/`);
  const known = validators.get(text);
  if (known !== undefined) return known;
  const made = ajv.compile(JSON.parse(text) as object);
  validators.set(text, made);
  return made;
}
