import { OpenAPIHono, z } from '@hono/zod-openapi';
import type { ExampleInput, Operation } from './operation.ts';

/** A question and its answer, as they were asked and given. */
export interface RecordedExample {
  readonly input: ExampleInput;
  readonly answer: unknown;
}

type Path = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0];

/** The document of a route table; each operation has the example that is recorded under its id. */
export function openApiDocument(
  operations: readonly Operation[],
  examples: Readonly<Record<string, RecordedExample>>,
): object {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const operation of operations) openAPIRegistry.registerPath(pathOf(operation, examples[operation.id]));
  return getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version: '1.0.0',
      description:
        'Lending and earn vaults on Solana: the REST face. The graph at /graphql has the same numbers and more. Builders return unsigned content; the wallet signs.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
  });
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

const CONTEXT_REQUEST = z.object({
  'X-View': z.string().optional().openapi({
    description: 'Number of a View that an earlier answer named, to read from the same state.',
  }),
  'X-Min-Slot': z.string().optional().openapi({ description: 'Read-your-writes: not before this slot.' }),
});

const CONTEXT_ANSWER = z.object({
  'X-View': z.string().openapi({ description: 'Number of the View that was read.' }),
  'X-Slot': z.string().openapi({ description: 'Slot of that View.' }),
});

const LIMIT_ANSWER = z.object({
  'RateLimit-Policy': z.string().optional().openapi({
    description: 'What may be spent, as in `"default";q=3000;w=60`: a cost of 3000 in 60 s.',
  }),
  RateLimit: z.string().optional().openapi({
    description: 'What is left, as in `"default";r=2990;t=58`: 2990, and all of it again in 58 s.',
  }),
});

const REFUSED = LIMIT_ANSWER.extend({
  'Retry-After': z.string().openapi({ description: 'In how many seconds to come back.' }),
});

const CHALLENGE = z.object({
  'WWW-Authenticate': z.string().openapi({ description: 'How a key is sent.' }),
});

const ERROR_HEADERS: Readonly<Record<string, z.ZodObject>> = { 401: CHALLENGE, 429: REFUSED };

/** Lists that are longer than this, in characters of JSON, are shown by their first items. */
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
