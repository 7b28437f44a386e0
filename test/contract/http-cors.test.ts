import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { http } from '../support/http/http-answers.ts';

const APP = 'https://app.example';
const OTHER = 'https://other.example';
const PATHS = ['/kvaults/vaults', '/graphql'];
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type, x-api-key, x-view',
};

let world: ContractWorld;
let listed: ContractWorld;
beforeAll(async () => {
  [world, listed] = await Promise.all([
    startContractWorld(),
    startContractWorld({ CORS_ORIGINS: `${APP}, http://localhost:3000` }),
  ]);
});
afterAll(() => Promise.all([world?.stop(), listed?.stop()]));

const preflight = ({ gateway }: ContractWorld, path: string, origin: string) =>
  http(gateway.app, path, { origin, ...PREFLIGHT }, { method: 'OPTIONS' });
const query = ({ gateway }: ContractWorld, origin: string) =>
  http(
    gateway.app,
    '/graphql',
    { origin, 'content-type': 'application/json' },
    { method: 'POST', body: '{"query":"{ __typename }"}' },
  );

describe('pages of any origin', () => {
  it.each(PATHS)('may call %s with a key and a View', async (path) => {
    const { status, headers } = await preflight(world, path, OTHER);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('content-type, x-api-key, x-view');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may read the headers of an answer, an error and a 304', async () => {
    const answers = [
      await http(world.gateway.app, '/kvaults/vaults', { origin: OTHER }),
      await http(world.gateway.app, '/kvaults/vaults', { origin: OTHER, 'if-none-match': '*' }),
      await http(world.gateway.app, '/kvaults/vaults/nonsense', { origin: OTHER }),
      await query(world, OTHER),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 200]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ');
      expect(exposed.slice(0, 3)).toEqual(['ETag', 'X-View', 'X-Slot']);
      expect(exposed.slice(3, 8)).toEqual([
        'X-Unknown',
        'X-Complete',
        'X-Localnet',
        'X-Error-Code',
        'X-Request-Id',
      ]);
      expect(exposed.slice(8)).toEqual([
        ...['Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate'],
      ]);
      expect(headers.get('vary') ?? '').not.toContain('Origin');
    }
  });

  it('get no invalid header names back', async () => {
    const wanted = { origin: OTHER, 'access-control-request-method': 'GET' };
    const answer = await http(
      world.gateway.app,
      '/graphql',
      { ...wanted, 'access-control-request-headers': 'x-a; b' },
      { method: 'OPTIONS' },
    );
    expect(answer.headers.get('access-control-allow-headers')).toBeNull();
  });
});

describe('with a list of origins', () => {
  it.each(PATHS)('a page of a listed origin may call %s', async (path) => {
    const { status, headers } = await preflight(listed, path, APP);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, APP]);
    expect(headers.get('vary')).toContain('Origin');
  });

  it.each(PATHS)('a page of another origin may not call %s', async (path) => {
    const { headers } = await preflight(listed, path, OTHER);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('vary')).toContain('Origin');
  });

  it('answers vary by origin', async () => {
    for (const origin of [APP, OTHER]) {
      const answers = [
        await http(listed.gateway.app, '/kvaults/vaults', { origin }),
        await query(listed, origin),
      ];
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers.get('access-control-allow-origin')).toBe(origin === APP ? APP : null);
        expect(headers.get('vary')).toContain('Origin');
      }
    }
  });
});

describe('the setting', () => {
  it.each(['*', APP, `${APP},http://localhost:3000`])('may be %s', (text) => {
    expect(loadConfig({ CORS_ORIGINS: text }).CORS_ORIGINS).toEqual(text === '*' ? '*' : text.split(','));
  });

  it.each(['app.example', `${APP}/`, `${APP},`, `*,${APP}`, 'ftp://app.example'])('may not be %s', (text) => {
    expect(() => loadConfig({ CORS_ORIGINS: text })).toThrow(/CORS_ORIGINS/);
  });
});
