import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/rest/operation/operation.ts';
import { SERVED_OPERATIONS as OPERATIONS } from '../../src/rest/operation-table.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import {
  type DocumentedOperation,
  type DocumentedParameter,
  documented,
  OPENAPI,
  OPENAPI_TEXT,
  resolvedDocument,
  schemaProblems,
} from '../support/contract/openapi-validator.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

const requiredOf = (operation: DocumentedOperation | undefined) =>
  operation?.parameters?.filter((each) => each.required) ?? [];

/** Sends the examples. Operations on history cannot answer here, and say so. */
async function outcome(
  { method, path, example }: Operation,
  parameters: readonly DocumentedParameter[],
): Promise<string> {
  const exampleOf = (name: string) => String(parameters.find((each) => each.name === name)?.example);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)));
  const query = new URLSearchParams(
    parameters.filter((each) => each.in === 'query').map(({ name }) => [name, exampleOf(name)]),
  );
  const url = query.size === 0 ? filled : `${filled}?${query}`;
  const { status, headers } = await (method === 'get'
    ? world.get(url)
    : world.post(url, example(world.localChain.addresses).body ?? {}));
  const answers = status === 200 || headers.get('x-error-code') === 'HISTORY_DISABLED';
  return answers ? 'answers' : `${status} ${headers.get('x-error-code')}`;
}

describe('the OpenAPI document', () => {
  it('is of version 3.1.0 and describes the version of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(text) as { version: string };
    expect([OPENAPI.openapi, OPENAPI.info.version]).toEqual(['3.1.0', version]);
  });

  it('accepts an API key in either header or as HTTP Basic, and requests without one', () => {
    const { securitySchemes } = OPENAPI.components;
    expect(Object.values(securitySchemes)).toEqual([
      expect.objectContaining({ type: 'apiKey', in: 'header', name: 'x-api-key' }),
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      expect.objectContaining({ type: 'http', scheme: 'basic' }),
    ]);
    const schemes = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
    expect(OPENAPI.security).toEqual([{}, ...schemes]);
    expect(OPENAPI.paths['/kvaults/transactions']?.post).toMatchObject({ security: schemes });
  });

  it('has an example for each required parameter, with which the operation answers', async () => {
    for (const operation of OPERATIONS) {
      const { method, path } = operation;
      const required = requiredOf(documented(method, path));
      for (const { name, schema, example } of required) {
        expect([path, name, example === undefined, schemaProblems(schema, example)]).toEqual([
          path,
          name,
          false,
          [],
        ]);
      }
      if (required.length > 0) expect([path, await outcome(operation, required)]).toEqual([path, 'answers']);
    }
  });

  it('is served to /docs with addresses of this deployment in its examples', async () => {
    const shown = resolvedDocument(await (await world.gateway.get('/docs/openapi.json')).text());
    const vaults = (await (await world.gateway.get('/kvaults/vaults')).json()) as { address: string }[];
    const examples = new Map<string, Set<unknown>>();
    const refusals: string[] = [];
    for (const operation of OPERATIONS) {
      const { method, path } = operation;
      const required = requiredOf(shown.paths[path]?.[method]);
      for (const { description, example } of required) {
        examples.set(description, (examples.get(description) ?? new Set()).add(example));
      }
      if (required.length === 0 || required.some(({ example }) => example === undefined)) continue;
      const result = await outcome(operation, required);
      if (result !== 'answers') refusals.push(`${path}: ${result}`);
    }
    // The example wallet administers the vault; it holds no shares here.
    expect(refusals).toEqual(['/kvaults/users/{userPubkey}/positions/{vaultPubkey}: 404 ACCOUNT_NOT_FOUND']);
    const [vault, ...others] = examples.get('Address of the vault.') ?? [];
    expect(others).toEqual([]);
    expect(vaults.map(({ address }) => address)).toContain(vault);
    // A View has no obligations to name.
    expect([...(examples.get('Address of the obligation.') ?? [])]).toEqual([undefined]);
    const deposit = shown.paths['/ktx/kvault/deposit']?.post?.requestBody?.content['application/json'];
    expect(deposit?.example).toMatchObject({ kvault: vault });
    expect(shown.paths['/kvaults/vaults']).toEqual(OPENAPI.paths['/kvaults/vaults']);
  });

  it('is served as committed', async () => {
    const response = await world.gateway.get('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(OPENAPI_TEXT);
  });

  it('names its licence and the purpose of every tag', () => {
    expect(OPENAPI.info.license).toMatchObject({ name: 'Apache-2.0' });
    expect(OPENAPI.tags.map(({ name }) => name)).toEqual([...new Set(OPERATIONS.map(({ tag }) => tag))]);
    for (const { description = '' } of OPENAPI.tags) expect(description.length).toBeGreaterThan(20);
  });

  it('documents X-Unknown on every answer', () => {
    for (const { method, path } of OPERATIONS) {
      expect(Object.keys(documented(method, path).responses[200]?.headers ?? {})).toContain('X-Unknown');
    }
  });

  it('has the operations of the table and no others, besides old spellings', () => {
    const inDocument = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { deprecated }]) =>
        deprecated === true ? [] : [`${method} ${path}`],
      ),
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
