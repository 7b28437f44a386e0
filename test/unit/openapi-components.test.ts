import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly ({ readonly $ref: string } | { readonly name: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
);
const schemas = Object.entries(document.components.schemas);

interface Found {
  readonly at: string;
  readonly schema: Schema;
}

/** The schemas within a schema, itself included. */
function within(schema: Schema, at: string): Found[] {
  const { items, properties = {}, additionalProperties, anyOf = [], allOf = [] } = schema;
  return [
    { at, schema },
    ...(items === undefined ? [] : within(items, `${at}[]`)),
    ...Object.entries(properties).flatMap(([name, each]) => within(each, `${at}.${name}`)),
    ...(typeof additionalProperties === 'object' ? within(additionalProperties, `${at}{}`) : []),
    ...[...anyOf, ...allOf].flatMap((each) => within(each, at)),
  ];
}

/** Every schema that is written where it is used. */
const inline: readonly Found[] = [
  ...schemas.flatMap(([name, schema]) => within(schema, name).slice(1)),
  ...operations.flatMap(({ at, operation: { requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].flatMap((each) =>
      Object.values(each?.content ?? {}).flatMap(({ schema }) => within(schema, at)),
    ),
  ),
];

/** Where the same text occurs more than once, by the text. */
function repeated(found: readonly (readonly [text: string, at: string])[]): string[][] {
  const places = new Map<string, string[]>();
  for (const [text, at] of found) places.set(text, [...(places.get(text) ?? []), at]);
  return [...places.values()].filter(({ length }) => length > 1);
}

describe('openapi.json', () => {
  it('names the object or list item of every JSON answer and body', () => {
    const named = ({ $ref, items, type, anyOf, additionalProperties }: Schema): boolean =>
      $ref !== undefined ||
      (items !== undefined && named(items)) ||
      anyOf?.every(named) ||
      (typeof additionalProperties === 'object' && named(additionalProperties)) ||
      ['string', 'number'].includes(`${type}`);
    const unnamed = operations.flatMap(({ at, operation: { requestBody, responses } }) =>
      [requestBody, responses[200]].flatMap((each) =>
        Object.values(each?.content ?? {}).flatMap(({ schema }) => (named(schema) ? [] : [at])),
      ),
    );
    expect(unnamed).toEqual([]);
  });

  it('names the items of lists', () => {
    const unnamed = inline.filter(({ schema }) => schema.items?.properties !== undefined);
    expect(unnamed.map(({ at }) => at)).toEqual([]);
  });

  it('has short names', () => {
    const long = schemas.map(([name]) => name).filter((name) => !/^[A-Z][A-Za-z0-9]{1,31}$/.test(name));
    expect(long).toEqual([]);
  });

  it('has each object of three or more fields once', () => {
    const objects = [...inline, ...schemas.map(([name, schema]) => ({ at: name, schema }))].filter(
      ({ schema }) => Object.keys(schema.properties ?? {}).length >= 3,
    );
    const text = ({ schema: { properties } }: Found) => JSON.stringify(properties);
    expect(repeated(objects.map((found) => [text(found), found.at]))).toEqual([]);
  });

  it('has no component that is null, and no intersection', () => {
    const nullable = schemas.filter(([, { type }]) => Array.isArray(type) && type.includes('null'));
    expect(nullable.map(([name]) => name)).toEqual([]);
    expect(inline.filter(({ schema }) => schema.allOf !== undefined).map(({ at }) => at)).toEqual([]);
  });

  it('has each parameter once', () => {
    const parameters = operations.flatMap(({ at, operation }) =>
      (operation.parameters ?? []).flatMap((each): [string, string][] =>
        '$ref' in each ? [] : [[JSON.stringify(each), `${at} ${each.name}`]],
      ),
    );
    expect(repeated(parameters)).toEqual([]);
  });

  it('refers to its error responses and headers', () => {
    const responses = operations.flatMap(({ at, operation }) =>
      Object.entries(operation.responses).map(([status, response]) => ({ at, status, response })),
    );
    const errors = responses.filter(
      ({ status, response }) => status !== '200' && response.$ref === undefined,
    );
    expect(errors.map(({ at, status }) => `${at} ${status}`)).toEqual([]);
    const headers = [
      ...responses.map(({ response }) => response),
      ...Object.values(document.components.responses),
    ].flatMap((response) => Object.values(response.headers ?? {}));
    expect(headers.length).toBeGreaterThan(operations.length);
    expect(headers.filter(({ $ref }) => $ref === undefined)).toEqual([]);
  });

  it('has short examples', () => {
    // The whole account of a market: its lists have a fixed length.
    const whole = 'get /svc-market/{marketPubkey}/users/{userPubkey}/obligations';
    const long = operations.flatMap(({ at, operation }) =>
      Object.values(operation.responses[200]?.content ?? {}).flatMap(({ example }) =>
        JSON.stringify(example ?? null).length > (at.startsWith(whole) ? 25_000 : 10_000) ? [at] : [],
      ),
    );
    expect(long).toEqual([]);
  });
});
