import { readFileSync } from 'node:fs';
import openapiTS from 'openapi-typescript';
import { describe, expect, it } from 'vitest';
import { openApi30 } from '../../src/rest/openapi/openapi-30.ts';
import { partOfDocument } from '../../src/rest/openapi/part-of-document.ts';

type Committed = Parameters<typeof partOfDocument>[0];

const committed = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Committed;

const schemaIn30 = (schema: object) => {
  const { components } = openApi30({ openapi: '3.1.0', components: { schemas: { One: schema } } }, '3.0.0');
  return (components as { schemas: { One: unknown } }).schemas.One;
};

/** Each construct of 3.1, and how the specification of 3.0 writes it. */
const CONSTRUCTS: readonly (readonly [string, object, object])[] = [
  [
    'a type or null',
    { type: ['string', 'null'], format: 'uri' },
    { type: 'string', nullable: true, format: 'uri' },
  ],
  [
    'two types',
    { type: ['string', 'integer'], description: 'x' },
    { anyOf: [{ type: 'string' }, { type: 'integer' }], description: 'x' },
  ],
  [
    'a reference or null',
    { anyOf: [{ $ref: '#/x' }, { type: 'null' }], description: 'x' },
    { allOf: [{ $ref: '#/x' }], description: 'x', nullable: true },
  ],
  ['a reference', { $ref: '#/x' }, { $ref: '#/x' }],
  [
    'a described reference',
    { $ref: '#/x', description: 'x' },
    { allOf: [{ $ref: '#/x' }], description: 'x' },
  ],
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  [
    'an exclusive bound',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    'a field that has the name of a keyword',
    { type: 'object', properties: { const: { type: ['number', 'null'] }, example: { const: 1 } } },
    { type: 'object', properties: { const: { type: 'number', nullable: true }, example: { enum: [1] } } },
  ],
  [
    'the items of a list',
    { type: 'array', items: { type: ['integer', 'null'] } },
    { type: 'array', items: { type: 'integer', nullable: true } },
  ],
];

/** Schemas of a document, without examples. */
function* schemasOf(value: unknown, isSchema = false): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (isSchema && !Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'example') continue;
    yield* schemasOf(part, isSchema || key === 'schema' || key === 'schemas');
  }
}

describe('the document in OpenAPI 3.0', () => {
  it.each(CONSTRUCTS)('rewrites %s', (_, schema, expected) => {
    expect(schemaIn30(schema)).toEqual(expected);
  });

  it('is one that a generator accepts, with every operation and example', async () => {
    const document = openApi30(committed, '3.0.0');
    expect(document).toMatchObject({ openapi: '3.0.0', info: committed.info });
    expect(document).not.toHaveProperty('webhooks');
    expect(Object.keys(document.paths as object)).toEqual(Object.keys(committed.paths));
    const newer = [...schemasOf(document)].filter(
      ({ type, $ref, const: only, ...more }) =>
        Array.isArray(type) ||
        type === 'null' ||
        only !== undefined ||
        (typeof $ref === 'string' && Object.keys(more).length > 0),
    );
    expect(newer).toEqual([]);
    // Fails for a document that is not valid in its version.
    expect((await openapiTS(JSON.stringify(document))).length).toBeGreaterThan(0);
  });

  it('leaves examples as they are', () => {
    const examples = (document: object) => JSON.stringify(document).match(/"example":/g)?.length;
    expect(examples(openApi30(committed, '3.0.0'))).toBe(examples(committed));
  });
});

describe('a part of the document', () => {
  it('has the paths below a folder and all that they refer to', async () => {
    const part = partOfDocument(committed, '/ktx/') as Committed;
    const builders = Object.keys(committed.paths).filter((path) => path.startsWith('/ktx/'));
    expect(Object.keys(part.paths)).toEqual(builders);
    expect(part.tags.map(({ name }) => name)).toEqual(['Builders']);
    expect(part.components.schemas).not.toHaveProperty('Token');
    expect(part.components.securitySchemes).toEqual(committed.components.securitySchemes);
    // Fails for a reference that leads nowhere.
    expect((await openapiTS(JSON.stringify(part))).length).toBeGreaterThan(0);
  });
});
