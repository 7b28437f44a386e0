import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { ExampleAddresses, ExampleInput, Operation } from '../operation/operation.ts';
import { PATH_ALIASES } from '../operation/path-spelling.ts';
import { TAGS } from '../operation/tags.ts';
import { ANSWER_HEADERS, ERROR_HEADERS, headerComponents } from './documented-headers.ts';
import { EXAMPLE_ADDRESSES } from './example-document.ts';
import { simplifyReferences } from './schema-references.ts';
import { type OpenApiDocument, shareErrorResponses, shareParameters } from './shared-components.ts';
import { shortExamples } from './short-examples.ts';

/** A recorded request and its answer. */
export interface RecordedExample {
  readonly input: ExampleInput;
  readonly answer: unknown;
}

type Path = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];

export interface DocumentOptions {
  /** Version of the package. */
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
  const aliases = operations.flatMap((operation) => aliasesOf(operation, examples[operation.id]?.input));
  for (const operation of operations) openAPIRegistry.registerPath(pathOf(operation, examples[operation.id]));
  for (const { operation } of aliases)
    openAPIRegistry.registerPath({ ...pathOf(operation, undefined), deprecated: true });
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  for (const [name, header] of headerComponents()) openAPIRegistry.registerComponent('headers', name, header);
  const document = getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description:
        'REST API for lending and earn vaults on Solana. The GraphQL API at /graphql returns the same numbers and more. Decimals are strings in plain notation with at most 34 significant digits. Builders return unsigned transactions for the wallet to sign. Examples show only the first items of a list.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    // The empty requirement: a key is optional, unless the operator requires one.
    security: [{}, ...ANY_SCHEME],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    [EXAMPLE_ADDRESSES]: addresses,
  });
  for (const operation of operations)
    addParameterExamples(document, operation, examples[operation.id]?.input);
  for (const { operation, input } of aliases) addParameterExamples(document, operation, input);
  const all = [...operations, ...aliases.map(({ operation }) => operation)];
  simplifyReferences(document);
  shareParameters(document, all);
  shareErrorResponses(document, all);
  shortExamples(document, operations);
  return document;
}

/** Swagger UI shows an Authorize button for these. */
const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key of this deployment.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as `Authorization: Bearer`.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The same API key, as the password or the user of HTTP Basic.',
  },
} as const;

const ANY_SCHEME = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));

/** The operation under each of its old spellings, with the input of its example. */
function aliasesOf(operation: Operation, input: ExampleInput | undefined) {
  return PATH_ALIASES.filter(({ path }) => path === operation.path).map(({ alias, path }) => ({
    input,
    operation: {
      ...operation,
      id: `${operation.id}Alias`,
      path: alias,
      description: `Old spelling of \`${path}\`, with the same answer.`,
    },
  }));
}

function pathOf(operation: Operation, example: RecordedExample | undefined): Path {
  const { id, method, path, tag, summary, description, params, query, body, needsKey } = operation;
  return {
    method,
    path,
    operationId: id,
    ...(needsKey && { security: ANY_SCHEME }),
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
        headers: ANSWER_HEADERS,
        content: content(operation, example?.answer),
      },
      ...errorResponses(operation),
    },
  };
}

/** Required parameters alone: Swagger UI would send the example of an optional one. */
function addParameterExamples(
  { paths = {} }: OpenApiDocument,
  { method, path }: Operation,
  input: ExampleInput | undefined,
): void {
  const values = { ...input?.params, ...input?.query };
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

function content({ media, response }: Operation, example: unknown) {
  const type: string = media ?? 'application/json';
  return { [type]: { schema: response, ...(example === undefined ? {} : { example }) } };
}

function json(schema: z.ZodType, example?: unknown) {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** Errors of operations with a body. */
const OF_BODIES = ['413', '415'];

function errorResponses({ family, body }: Operation): Path['responses'] {
  const listed = Object.entries(family.documented).filter(
    ([status]) => !OF_BODIES.includes(status) || body !== null,
  );
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
