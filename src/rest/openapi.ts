import { OpenAPIHono, z } from '@hono/zod-openapi';
import { EXAMPLE_ADDRESSES } from './example-document.ts';
import type { ExampleAddresses, ExampleInput, Operation } from './operation.ts';
import { PATH_ALIASES } from './path-spelling.ts';
import { TAGS } from './tags.ts';

/** A recorded request and its answer. */
export interface RecordedExample {
  readonly input: ExampleInput;
  readonly answer: unknown;
}

type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type Path = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];

export interface DocumentOptions {
  /** Of the package. */
  readonly version: string;
  /** By operation id. */
  readonly examples: Readonly<Record<string, RecordedExample>>;
  /** The addresses that the examples use. */
  readonly addresses: ExampleAddresses;
}

/** The OpenAPI document of a route table. */
export function openApiDocument(
  operations: readonly Operation[],
  { version, examples, addresses }: DocumentOptions,
): object {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const operation of operations) openAPIRegistry.registerPath(pathOf(operation, examples[operation.id]));
  const aliases = operations.flatMap(aliasesOf);
  for (const alias of aliases)
    openAPIRegistry.registerPath({ ...pathOf(alias, undefined), deprecated: true });
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  const document = getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description:
        'REST API for lending and earn vaults on Solana. The GraphQL API at /graphql returns the same numbers and more. Decimals are strings in plain notation with at most 34 significant digits. Builders return unsigned transactions for the wallet to sign.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    // The empty requirement: a key is optional, unless the operator requires one.
    security: [{}, ...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }))],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    [EXAMPLE_ADDRESSES]: addresses,
  });
  for (const operation of operations) addParameterExamples(document, operation, examples);
  return document;
}

/** Swagger UI shows an Authorize button for these. */
const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of this deployment.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as `Authorization: Bearer`.' },
} as const;

/** The operation under each of its old spellings. */
function aliasesOf(operation: Operation): Operation[] {
  return PATH_ALIASES.filter(({ path }) => path === operation.path).map(({ alias, path }) => ({
    ...operation,
    id: `${operation.id}Alias`,
    path: alias,
    description: `Old spelling of \`${path}\`, with the same answer. ${operation.description}`,
  }));
}

function pathOf(operation: Operation, example: RecordedExample | undefined): Path {
  const { id, method, path, tag, summary, description, params, query, body } = operation;
  return {
    method,
    path,
    operationId: id,
    tags: [tag],
    summary,
    description,
    request: {
      params,
      query,
      headers: CONTEXT_REQUEST,
      ...(body === null ? {} : { body: { required: true, content: json(body, example?.input.body) } }),
    },
    responses: {
      200: {
        description: 'The answer.',
        headers: CONTEXT_ANSWER.extend(LIMIT_ANSWER.shape),
        content: content(operation, example?.answer),
      },
      ...errorResponses(operation),
    },
  };
}

/** Required parameters alone: Swagger UI would send the example of an optional one. */
function addParameterExamples(
  { paths = {} }: Pick<OpenApiDocument, 'paths'>,
  { id, method, path }: Operation,
  examples: DocumentOptions['examples'],
): void {
  const values = { ...examples[id]?.input.params, ...examples[id]?.input.query };
  for (const parameter of paths[path]?.[method]?.parameters ?? []) {
    if ('name' in parameter && parameter.required) parameter.example = values[parameter.name];
  }
}

const CONTEXT_REQUEST = z.object({
  'X-View': z.string().optional().openapi({
    description:
      'Id of the View of an earlier answer, to read the same state again while the gateway retains it.',
  }),
  'X-Min-Slot': z
    .string()
    .optional()
    .openapi({ description: 'Minimum slot of the state to read, for read-your-writes.' }),
});

const CONTEXT_ANSWER = z.object({
  'X-View': z
    .string()
    .openapi({ description: 'Id of the View that the answer was read from, unique across gateways.' }),
  'X-Slot': z.string().openapi({ description: 'Slot of that View.' }),
  'X-Unknown': z.string().optional().openapi({
    description:
      'Fields whose zero stands for an unknown value, separated by commas, for example `tokenPrice, sharePrice`. A nested field is named by its path, such as `refreshedStats.leverage`. In a list, at least one item has the unknown value. Absent when every value is known.',
  }),
  'X-Complete': z.string().optional().openapi({
    description:
      '`false` when the answer depends on transactions of which some have not been read from the chain yet: the same request has a more complete answer later. Absent otherwise.',
  }),
});

const LIMIT_ANSWER = z.object({
  'RateLimit-Policy': z.string().optional().openapi({
    description: 'Rate limit, for example `"default";q=3000;w=60`: 3000 cost units per 60 s.',
  }),
  RateLimit: z.string().optional().openapi({
    description: 'Remaining quota, for example `"default";r=2990;t=58`: 2990 cost units left, reset in 58 s.',
  }),
});

const REFUSED = LIMIT_ANSWER.extend({
  'Retry-After': z.string().openapi({ description: 'Seconds to wait before a retry.' }),
});

const CHALLENGE = z.object({
  'WWW-Authenticate': z.string().openapi({ description: 'Authentication scheme for API keys.' }),
});

const ERROR_HEADERS: Readonly<Record<string, z.ZodObject>> = { 401: CHALLENGE, 429: REFUSED };

/** Example lists longer than this, in characters of JSON, are cut to their first items. */
const LONG_LIST = 6_000;
const SHOWN_ITEMS = 2;

function content({ media, response }: Operation, example: unknown) {
  const type: string = media ?? 'application/json';
  return { [type]: { schema: response, ...(example === undefined ? {} : { example: shortened(example) }) } };
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shown = JSON.stringify(value).length > LONG_LIST ? value.slice(0, SHOWN_ITEMS) : value;
    return shown.map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function json(schema: z.ZodType, example?: unknown) {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

function errorResponses({ family, body }: Operation): Path['responses'] {
  const listed = Object.entries(family.documented).filter(([status]) => status !== '413' || body !== null);
  return Object.fromEntries(
    listed.map(([status, { description, schema, example }]) => [
      status,
      {
        description,
        ...(ERROR_HEADERS[status] === undefined ? {} : { headers: ERROR_HEADERS[status] }),
        content: json(schema, example),
      },
    ]),
  );
}
