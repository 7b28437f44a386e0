import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { OPENAPI } from '../support/contract/openapi-validator.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';
import { type SocketAnswer, type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

const LONG = 120_000;

let world: ContractWorld;
let site: SocketSite;
beforeAll(async () => {
  world = await startRecordedWorld({ RATE_LIMIT: '100000' });
  site = await serveOnSocket(world.gateway.app);
});
afterAll(async () => {
  await site?.close();
  await world?.stop();
});

/** Each old spelling and its documented path, as the contract lists them. */
const ALIASES = [
  ['/kvaults/{v}/metrics', '/kvaults/vaults/{v}/metrics'],
  ['/kvaults/{v}/metrics/history', '/kvaults/vaults/{v}/metrics/history'],
  ['/kvaults/{v}/allocation-volume/history', '/kvaults/vaults/{v}/allocation-volume/history'],
  ['/kvaults/{v}/users/{u}/metrics/history', '/kvaults/users/{u}/vaults/{v}/metrics/history'],
  ['/kvaults/{v}/users/{u}/pnl', '/kvaults/users/{u}/vaults/{v}/pnl'],
  ['/kvaults/{v}/users/{u}/pnl/history', '/kvaults/users/{u}/vaults/{v}/pnl/history'],
  ['/kvault-tokens/{mint}/metadata', '/kvaults/mints/{mint}/metadata'],
  ['/kvault-tokens/{mint}/metadata/image.svg', '/kvaults/mints/{mint}/metadata/image.svg'],
  ['/svc-market', '/v2/svc-market'],
  ['/svc-market/{m}', '/v2/svc-market/{m}'],
] as const;

const filled = (path: string) => {
  const { vault, wallet, sharesMint, market } = world.subjects.addresses;
  const values: Readonly<Record<string, string>> = { v: vault, u: wallet, mint: sharesMint, m: market };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

/** Everything that does not differ between two requests; without the remaining quota. */
const shown = ({ status, headers, bytes }: SocketAnswer) => {
  const { date, 'x-request-id': id, ratelimit, ...rest } = headers;
  return { status, headers: rest, text: bytes.toString('base64') };
};

const remaining = ({ headers }: SocketAnswer) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);

/** Units that a request takes from the quota, with its answer. */
async function paid(path: string): Promise<{ units: number; answer: SocketAnswer }> {
  const before = remaining(await site.get('/slots/duration'));
  const answer = await site.get(path);
  return { units: before - remaining(answer), answer };
}

describe.each(ALIASES)('%s', (alias, path) => {
  it(
    'answers as the documented path, byte by byte, for the same cost',
    async () => {
      // A request that reads the newest transactions of its subjects, as one does every few seconds, pays for that too.
      await vi.waitFor(
        async () => {
          const [documented, old] = [await paid(filled(path)), await paid(filled(alias))];
          expect(documented.answer.status).toBe(200);
          expect(shown(old.answer)).toEqual(shown(documented.answer));
          expect(old.answer.cached).toBe(documented.answer.cached);
          expect(documented.units).toBeGreaterThan(0);
          expect(old.units).toBe(documented.units);
        },
        { timeout: LONG, interval: 0 },
      );
    },
    LONG,
  );

  it('rejects invalid input as the documented path does', async () => {
    const bad = (target: string) => filled(target.replace(/\{(?:v|mint|m)\}/, 'nonsense'));
    if (bad(path) === filled(path)) return;
    const [documented, old] = [await world.get(bad(path)), await world.get(bad(alias))];
    expect(documented.status).toBeGreaterThanOrEqual(400);
    expect([old.status, old.body]).toEqual([documented.status, documented.body]);
  });
});

describe('the OpenAPI document', () => {
  const unnamed = (path: string) => path.replace(/\{\w+\}/g, '{}');

  it('lists each old spelling as deprecated, with the answer of its documented path', () => {
    const deprecated = Object.entries(OPENAPI.paths).filter(([, { get }]) => get?.deprecated === true);
    expect(deprecated.map(([path]) => unnamed(path)).sort()).toEqual(ALIASES.map(([a]) => unnamed(a)).sort());
    for (const [alias, path] of ALIASES) {
      const old = deprecated.find(([each]) => unnamed(each) === unnamed(alias))?.[1].get;
      const { id } = OPERATIONS.find((each) => unnamed(each.path) === unnamed(path)) ?? {};
      const documented = Object.values(OPENAPI.paths).find(({ get }) => get?.operationId === id)?.get;
      expect([old?.operationId, documented?.deprecated]).toEqual([`${id}Alias`, undefined]);
      const schemas = (each: typeof old) =>
        Object.values(each?.responses[200]?.content ?? {}).map(({ schema }) => schema);
      expect(schemas(old)).toEqual(schemas(documented));
    }
  });
});

describe('slashes', () => {
  it.each(['/kvaults/vaults/', '//kvaults/vaults', '//kvaults/vaults/', '/kvaults/vaults/?x=1'])(
    '%s answers as /kvaults/vaults',
    async (path) => {
      const plain = await site.get('/kvaults/vaults');
      expect(shown(await site.get(path))).toEqual(shown(plain));
    },
  );

  it('count for builders, status paths and errors alike', async () => {
    const { wallet, vault } = world.subjects.addresses;
    const body = { wallet, kvault: vault, amount: '1' };
    const plain = await world.post('/ktx/kvault/deposit-instructions', body);
    const odd = await world.post('//ktx/kvault/deposit-instructions/', body);
    expect([plain.status, odd.status, odd.body]).toEqual([200, 200, plain.body]);
    expect((await site.get('/health/')).status).toBe(200);
    expect((await site.get('/health/')).headers.ratelimit).toBeUndefined();
    const refused = await world.get(`/kvaults/vaults/${wallet}/`);
    expect(refused.body).toEqual((await world.get(`/kvaults/vaults/${wallet}`)).body);
  });
});

describe('dot segments', () => {
  it.each([
    '/kvaults/../metrics',
    '/kvaults/%2e%2E/metrics',
    '/kvaults/./vaults',
    '/docs/../graphql?query={__typename}',
    '/kvaults/vaults/..',
  ])('%s is not resolved, so that a proxy sees the path that is answered', async (path) => {
    const { status, text } = await site.get(path);
    expect([status, text]).toEqual([404, JSON.stringify({ error: `There is nothing at ${path}.` })]);
  });

  it('are allowed in a query', async () => {
    expect((await site.get('/kvaults/vaults?a=/../')).status).toBe(200);
  });
});

describe('paths that a proxy may keep internal', () => {
  it.each(['/metrics', '/ready'])('answer at %s alone', async (path) => {
    expect((await site.get(path)).status).toBe(200);
    expect((await site.get(`${path}?x=1`)).status).toBe(200);
    const spellings = [`${path}/`, `/${path}`, `/${path}/`, path.replace('e', '%65'), `${path}/?x=1`];
    for (const spelling of spellings) {
      const { status, text } = await site.get(spelling);
      expect([spelling, status, text]).toEqual([
        spelling,
        404,
        expect.stringContaining('There is nothing at'),
      ]);
    }
  });
});

describe('errors name the path as the client spelled it', () => {
  it('when nothing is there', async () => {
    const { body } = await world.get('//kvaults/vault/');
    expect(body).toEqual({
      error: 'There is nothing at //kvaults/vault/. The nearest documented path is /kvaults/vaults.',
    });
  });

  it('when the method is not allowed', async () => {
    const alias = filled('/kvaults/{v}/metrics');
    const { status, body, headers } = await world.post(alias, {});
    expect([status, body, headers.get('allow')]).toEqual([
      405,
      { error: `${alias} does not allow POST. Use GET.` },
      'GET, HEAD',
    ]);
  });
});

describe('a list in a query', () => {
  const url = '/svc-market/reserves/account-data';

  it('may be repeated, have brackets or commas', async () => {
    const [a = '', b = ''] = world.subjects.markets;
    const repeated = await world.get(`${url}?markets=${a}&markets=${b}`);
    expect((repeated.body as { market: string }[]).map(({ market }) => market)).toEqual([a, b]);
    for (const query of [
      `markets[]=${a}&markets[]=${b}`,
      `markets%5B%5D=${a}&markets%5B%5D=${b}`,
      `markets=${a},${b}`,
      `markets=${a}%2C${b}`,
      `markets=${a}&markets[]=${b}`,
      `markets[]=${a},${b}`,
    ]) {
      const { status, text } = await world.get(`${url}?${query}`);
      expect([query, status, text === repeated.text]).toEqual([query, 200, true]);
    }
    const one = await world.get(`${url}?markets[]=${b}`);
    expect((one.body as { market: string }[]).map(({ market }) => market)).toEqual([b]);
  });

  it('has valid items only, at most 100', async () => {
    const [a = ''] = world.subjects.markets;
    for (const value of [`${a},`, `,${a}`, `${a},nonsense`, Array(101).fill(a).join(',')]) {
      const { status, text } = await world.get(`${url}?markets=${value}`);
      expect([value.slice(0, 60), status, text.includes('markets')]).toEqual([value.slice(0, 60), 400, true]);
    }
    expect((await world.get(`${url}?markets=${Array(100).fill(a).join(',')}`)).status).toBe(200);
  });
});
