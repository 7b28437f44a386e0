import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';
import { http } from '../support/http/http-answers.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  http(world.gateway.app, path, headers, { method });
const LIST = '/kvaults/vaults';

describe('a tag', () => {
  it('is strong, and the same for the same bytes', async () => {
    const [first, again] = [await ask(LIST), await ask(LIST)];
    expect(first.headers.get('etag')).toMatch(/^"[\w-]{20,}"$/);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.bytes.equals(first.bytes)).toBe(true);
  });

  it('differs between answers, and between the forms of one answer', async () => {
    const { vault } = world.localChain.addresses;
    const answers = [
      await ask(LIST),
      await ask(LIST, { 'accept-encoding': 'br' }),
      await ask(LIST, { 'accept-encoding': 'gzip' }),
      await ask(`${LIST}/${vault}`),
    ];
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(answers.length);
  });
});

describe('a caller with a current copy', () => {
  it.each([
    ['the tag', (tag: string) => tag],
    ['a weak form of it', (tag: string) => `W/${tag}`],
    ['a list', (tag: string) => `"another", W/"a,b" ,${tag}`],
    ['a star', () => '*'],
  ])('gets 304 when it sends %s', async (_, sent) => {
    const full = await ask(LIST);
    const answer = await ask(LIST, { 'if-none-match': sent(full.headers.get('etag') ?? '') });
    expect([answer.status, answer.bytes.length]).toEqual([304, 0]);
    for (const name of ['etag', 'cache-control', 'vary', 'x-view', 'x-slot']) {
      expect(answer.headers.get(name), name).toBe(full.headers.get(name));
      expect(answer.headers.get(name), name).not.toBeNull();
    }
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    expect(answer.headers.get('content-type')).toBeNull();
  });

  it.each(['"another"', 'W/"another", "third"', 'nonsense', ''])(
    'does not apply to a caller that sends %s',
    async (sent) => {
      expect((await ask(LIST, { 'if-none-match': sent })).status).toBe(200);
    },
  );

  it('may have the plain form and accept a compressed one, but not the reverse', async () => {
    const plain = (await ask(LIST)).headers.get('etag') ?? '';
    const br = (await ask(LIST, { 'accept-encoding': 'br' })).headers.get('etag') ?? '';
    expect((await ask(LIST, { 'accept-encoding': 'br', 'if-none-match': plain })).status).toBe(304);
    expect((await ask(LIST, { 'accept-encoding': 'br', 'if-none-match': br })).status).toBe(304);
    expect((await ask(LIST, { 'if-none-match': br })).status).toBe(200);
  });
});

describe('the cache lifetime of an answer', () => {
  const EXPECTED = {
    view: /^public, max-age=\d+$/,
    day: /^public, max-age=86400$/,
    positions: /^private, no-cache$/,
    never: /^private, no-cache$/,
  };

  it.each(OPERATIONS.filter(({ method }) => method === 'get'))('$path', async (operation) => {
    const { params = {}, query = {} } = operation.example(world.localChain.addresses);
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
      ),
    );
    const path = `${filled}?${search}`;
    const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    expect(get.status).toBe(200);
    expect(get.headers.get('cache-control')).toMatch(EXPECTED[operation.holds]);
    const isStreamed = operation.media !== undefined && operation.media !== 'image/svg+xml';
    const type = operation.media ?? 'application/json';
    expect(get.headers.get('content-type')).toBe(isStreamed ? `${type}; charset=utf-8` : type);
    expect(get.headers.get('content-length')).toBe(isStreamed ? null : String(get.bytes.length));
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    const without = ({ headers }: typeof get) => [...headers].filter(([name]) => name !== 'x-request-id');
    // Values that are read live may differ from one moment to the next.
    const isLive = operation.holds === 'never' || operation.holds === 'positions';
    if (!isLive) expect(without(head)).toEqual(without(get));
    expect([...head.headers.keys()]).toEqual([...get.headers.keys()]);
  });

  it('is never longer than a View lives', async () => {
    const brief = await startRecordedWorld({ VIEW_REFRESH_MS: '1500' });
    try {
      const answer = await http(brief.gateway.app, LIST);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=0');
    } finally {
      await brief.stop();
    }
  });

  it('a built transaction and an error are not stored', async () => {
    const path = '/ktx/kvault/deposit';
    const json = { 'content-type': 'application/json' };
    const refused = await http(world.gateway.app, path, json, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([400, 'no-store']);
    const operation = OPERATIONS.find((each) => each.path === path);
    const built = await http(world.gateway.app, path, json, {
      method: 'POST',
      body: JSON.stringify(operation?.example(world.localChain.addresses).body),
    });
    expect([built.status, built.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(built.headers.get('etag')).toBeNull();
    for (const wrong of [`${LIST}/nonsense`, '/nowhere'])
      expect((await ask(wrong)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('OPTIONS and other methods', () => {
  it.each([
    [LIST, 'GET, HEAD'],
    ['/ktx/kvault/deposit', 'POST'],
    ['/openapi.json', 'GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/health', 'GET, HEAD'],
    ['/graphql', 'GET, POST'],
  ])('%s allows %s', async (path, allow) => {
    const answer = await ask(path, {}, 'OPTIONS');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allow]);
  });

  it('a page rejects POST', async () => {
    const answer = await ask('/openapi.json', {}, 'DELETE');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the OpenAPI document', () => {
  it('answers 304 to a caller that has it', async () => {
    const full = await ask('/openapi.json', { 'accept-encoding': 'gzip' });
    expect(full.headers.get('content-encoding')).toBe('gzip');
    expect(full.headers.get('access-control-allow-origin')).toBe('*');
    const etag = full.headers.get('etag') ?? '';
    const again = await ask('/openapi.json', { 'accept-encoding': 'gzip', 'if-none-match': etag });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  });
});

describe('the request id', () => {
  it('is the caller\u2019s, on every kind of answer', async () => {
    const given = { 'x-request-id': 'trace-7' };
    const answers = [
      await ask(LIST, given),
      await ask(LIST, given, 'HEAD'),
      await ask(LIST, { ...given, 'if-none-match': '*' }),
      await ask(LIST, given, 'OPTIONS'),
      await ask('/nowhere', given),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 204, 404]);
    for (const { headers } of answers) expect(headers.get('x-request-id')).toBe('trace-7');
  });
});
