import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preferredCoding } from '../../src/http/content-coding.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { http, unpacked } from '../support/http/http-answers.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

const LARGE = 10_000;

describe('the coding of a large answer', () => {
  it.each([
    [null, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['BR', 'br'],
    ['deflate', 'identity'],
    ['zstd, deflate', 'identity'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['identity;q=0, br;q=0, *;q=0.1', 'gzip'],
    ['*;q=0', 'identity'],
    [' gzip ; q=0.3 , br ; q=0.2', 'gzip'],
    ['gzip;q=high, br;q=0.1', 'br'],
  ])('for Accept-Encoding "%s" is %s', (header, coding) => {
    expect(preferredCoding(header, LARGE)).toBe(coding);
  });
});

it('a small answer is not compressed, unless the caller requires it', () => {
  expect(preferredCoding('br, gzip', 1_023)).toBe('identity');
  expect(preferredCoding('br, gzip', 1_024)).toBe('br');
  expect(preferredCoding('gzip, identity;q=0', 10)).toBe('gzip');
});

describe('an answer', () => {
  const ask = (path: string, coding: string) => http(world.gateway.app, path, { 'accept-encoding': coding });

  it.each(['/kvaults/vaults', '/openapi.json', '/docs/swagger-ui.css'])(
    '%s is the same however it is compressed',
    async (path) => {
      const plain = await ask(path, 'identity');
      expect(plain.headers.get('content-encoding')).toBeNull();
      for (const coding of ['br', 'gzip']) {
        const packed = await ask(path, coding);
        expect(packed.headers.get('content-encoding')).toBe(coding);
        expect(packed.headers.get('vary')).toContain('Accept-Encoding');
        expect(packed.headers.get('content-length')).toBe(String(packed.bytes.length));
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(unpacked(packed).equals(plain.bytes)).toBe(true);
      }
    },
  );

  it('of GraphQL is compressed when it is large enough', async () => {
    const query = async (text: string, coding: string) =>
      await http(
        world.gateway.app,
        '/graphql',
        { 'content-type': 'application/json', 'accept-encoding': coding },
        { method: 'POST', body: JSON.stringify({ query: text }) },
      );
    const vaults = '{ vaults(first: 20) { nodes { address name totalValue { amount usd } } } }';
    const large = await query(vaults, 'gzip');
    expect(large.headers.get('content-encoding')).toBe('gzip');
    expect(JSON.parse(unpacked(large).toString()).data.vaults.nodes.length).toBeGreaterThan(10);
    const small = await query('{ __typename }', 'gzip');
    expect(small.headers.get('content-encoding')).toBeNull();
    expect(JSON.parse(small.bytes.toString())).toMatchObject({ data: { __typename: 'Query' } });
    expect((await query(vaults, 'identity')).headers.get('content-encoding')).toBeNull();
  });
});
