import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { documented, OPENAPI, schemaProblems } from '../support/contract/openapi-validator.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

describe('the OpenAPI document', () => {
  it('is of version 3.1.0 and describes version 1.0.0', () => {
    expect([OPENAPI.openapi, OPENAPI.info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  it('is served as committed', async () => {
    const response = await world.gateway.get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(OPENAPI);
  });

  it('has the operations of the table and no others', () => {
    const inDocument = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(inDocument.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(OPERATIONS)('$method $path has a summary, and examples that fit', ({ method, path, body }) => {
    const { summary, requestBody, responses } = documented(method, path);
    expect(summary.length).toBeGreaterThan(10);
    expect(requestBody !== undefined).toBe(body !== null);
    const media = [requestBody, ...Object.values(responses)].flatMap((each) =>
      each === undefined ? [] : Object.values(each.content),
    );
    for (const { schema, example } of media) {
      expect(example).toBeDefined();
      expect(schemaProblems(schema, example)).toEqual([]);
    }
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '500']));
  });

  it('is checked by a validator that finds errors', () => {
    const { responses } = documented('post', '/ktx/klend/deposit-instructions');
    const schema = responses[200]?.content['application/json']?.schema ?? {};
    const right = { instructions: [], lutsByAddress: {} };
    expect(schemaProblems(schema, right)).toEqual([]);
    expect(schemaProblems(schema, {})).toHaveLength(2);
    expect(schemaProblems(schema, { ...right, lutsByAddress: { a: [5] } })).toHaveLength(1);
    expect(schemaProblems(schema, { ...right, lutsByAddress: null })).toHaveLength(1);
    const instruction = {
      programAddress: '1'.repeat(32),
      accounts: [{ address: '1'.repeat(32), role: 'X' }],
      data: '',
    };
    expect(schemaProblems(schema, { ...right, instructions: [instruction] })).toHaveLength(1);
  });
});
