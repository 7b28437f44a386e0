import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../packages/protocol/test/support/cases.ts';
import { KTX_EXIT_OPERATIONS } from '../../src/rest/builds/exit-routes.ts';
import { KTX_PLAN_OPERATIONS } from '../../src/rest/builds/plan-routes.ts';
import { KTX_REBALANCE_OPERATIONS } from '../../src/rest/builds/rebalance-routes.ts';
import type { Operation } from '../../src/rest/operation/operation.ts';
import { OPERATIONS as EXISTING } from '../../src/rest/operation-table.ts';
import { errorFaults } from '../support/contract/answer-checks.ts';
import type { ContractWorld, RestAnswer } from '../support/contract/contract-app.ts';
import { ERROR } from '../support/contract/error-bodies.ts';
import { misfits } from '../support/contract/field-shapes.ts';
import { askOf } from '../support/contract/parameters.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';

const OPERATIONS = [...EXISTING, ...KTX_PLAN_OPERATIONS, ...KTX_EXIT_OPERATIONS, ...KTX_REBALANCE_OPERATIONS];

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const exampleOf = (operation: Operation) => ({ ...operation.example(world.localChain.addresses).body });

const urlOf = (operation: Operation) => askOf(operation, operation.example(world.localChain.addresses)).url;

/** Whether a body may be empty. */
const takesNothing = ({ body }: Operation) => body?.safeParse({}).success ?? false;

function expectRefusal({ path, method, tag }: Operation, answer: RestAnswer, status = 400): void {
  const hasDetails = status === 400 && tag !== 'Builders';
  expect(answer.status).toBe(status);
  expect(errorFaults(method, path, answer, hasDetails)).toEqual([]);
}

const NO_OBJECTS = [
  '',
  '{"wallet": "',
  'wallet',
  '{} // nothing',
  'null',
  '[]',
  '5',
  '"wallet"',
  '['.repeat(100_000),
  '\ufeff{}x',
];
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'nonsense',
  'application/jsonp',
  'text/plain; application/json',
  'multipart/form-data; boundary=x',
];
const JSON_TYPES = ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'];
const PADDING = 'x'.repeat(2_000_000);

const WITH_BODY = OPERATIONS.filter(({ body }) => body !== null);

describe.each(WITH_BODY)('$path, body', (operation) => {
  const isBuilder = operation.tag === 'Builders';
  const someOf = <T>(values: readonly T[], least: number): readonly T[] =>
    sampled(values, WITH_BODY.indexOf(operation), WITH_BODY.length, least);

  it('rejects a body that is not a JSON object', async () => {
    world.proxy.reset();
    for (const body of [
      ...someOf(NO_OBJECTS, 3),
      ...(takesNothing(operation) ? [] : ['{}', '{"wallet": "\\ud800"}']),
    ]) {
      const answer = await world.post(urlOf(operation), body);
      expectRefusal(operation, answer);
    }
    expect(world.proxy.calls).toEqual([]);
  });

  it('rejects a body that is nested 5,000 deep', async () => {
    const deep = `{"wallet": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const answer = await world.post(urlOf(operation), deep);
    const code = isBuilder ? (answer.body as { code?: string }).code : answer.headers.get('x-error-code');
    expect([answer.status, code]).toEqual([400, 'INPUT_TOO_DEEP']);
  });

  it('rejects another content type', async () => {
    for (const type of someOf(OTHER_TYPES, 2)) {
      const answer = await world.post(urlOf(operation), exampleOf(operation), {
        headers: { 'content-type': type },
      });
      expectRefusal(operation, answer, 415);
      expect(answer.text).toContain('application/json');
    }
  });

  it('rejects a body without a content type, which other sites may send, and none at all', async () => {
    const typeless = new Blob([JSON.stringify(exampleOf(operation))]);
    for (const body of [typeless, undefined]) {
      const request = new Request(`http://sluice.test${urlOf(operation)}`, {
        method: 'POST',
        ...(body === undefined ? {} : { body }),
      });
      expect(request.headers.get('content-type')).toBeNull();
      const answer = await world.gateway.app.fetch(request);
      expect(answer.status).toBe(415);
      const code = answer.headers.get('x-error-code');
      expect(isBuilder ? await answer.json() : { code }).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    }
  });

  it('accepts other JSON content types', async () => {
    for (const type of someOf(JSON_TYPES, 1)) {
      const headers = { 'content-type': type };
      expect((await world.post(urlOf(operation), exampleOf(operation), { headers })).status).toBe(200);
    }
  });

  it('rejects two megabytes, with or without a content-length', async () => {
    const large = JSON.stringify({ ...exampleOf(operation), padding: PADDING });
    const announced: Readonly<Record<string, string>> = { 'content-length': String(large.length) };
    for (const headers of someOf([announced, {}], 1)) {
      const answer = await world.post(urlOf(operation), large, { headers });
      expectRefusal(operation, answer, 413);
      const builderBody = { code: 'BODY_TOO_LARGE', error: 'Payload Too Large' };
      if (isBuilder) expect(answer.body).toMatchObject(builderBody);
      else expect(answer.headers.get('x-error-code')).toBe('BODY_TOO_LARGE');
    }
  });

  it('ignores prototype keys', async () => {
    const inherited = `{"__proto__": ${JSON.stringify(exampleOf(operation))}}`;
    if (!takesNothing(operation)) expectRefusal(operation, await world.post(urlOf(operation), inherited));
    const plain = JSON.stringify(exampleOf(operation));
    const polluted = plain.replace(
      /^\{/,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,',
    );
    expect((await world.post(urlOf(operation), polluted)).status).toBe(200);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it('ten megabytes are rejected before they are read', async () => {
  const answer = await world.post('/ktx/klend/deposit', `{"wallet":"${'x'.repeat(10_000_000)}"}`);
  expect(answer.status).toBe(413);
});

describe.each(OPERATIONS)('$method $path', (operation) => {
  const { method, path } = operation;
  const url = path.replace(/\{\w+\}/g, '1'.repeat(32));
  const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((each) => each !== method.toUpperCase());

  it('answers other methods with the allowed ones', async () => {
    for (const other of others) {
      const answer = await world.post(url, {}, { method: other });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')?.split(', ')).toContain(method.toUpperCase());
      const status = path.startsWith('/ktx/') ? { statusCode: 405, error: 'Method Not Allowed' } : {};
      expect(answer.body).toMatchObject(status);
      if (!path.startsWith('/ktx/')) expect(misfits(ERROR, answer.body)).toEqual([]);
    }
  });

  it('answers OPTIONS with the allowed methods', async () => {
    const answer = await world.post(url, '', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')?.split(', ')).toContain(method.toUpperCase());
  });
});

describe('unknown paths', () => {
  const documented = OPERATIONS.map(({ path }) => path);
  const nearest = async (path: string) => {
    const answer = await world.get(path);
    expect([answer.status, misfits(ERROR, answer.body)]).toEqual([404, []]);
    expect(answer.text.length).toBeLessThan(500);
    return /nearest documented path is (\S+)\.$/.exec((answer.body as { error: string }).error)?.[1];
  };

  it.each([
    ['/ktx/kvault/depost', '/ktx/kvault/deposit'],
    ['/ktx/kvault/deposit/x', '/ktx/kvault/deposit'],
    ['/ktx/klend/borrow_instructions', '/ktx/klend/borrow-instructions'],
    ['/KTX/klend/repay', '/ktx/klend/repay'],
    ['/kvault/vaults', '/kvaults/vaults'],
    ['/kvaults/summery', '/kvaults/summary'],
    ['/tokens', '/tokens-api/tokens'],
    ['/v2/svc-markets', '/v2/svc-market'],
    ['/svc-market/reserves/accountdata', '/svc-market/reserves/account-data'],
  ])('%s: %s is the nearest', async (path, wanted) => {
    expect(await nearest(path)).toBe(wanted);
  });

  it('are answered with a documented path, whatever they are', async () => {
    const strange = ['/ktx/klend/%F0%9F%A6%80', '/%', '/__proto__', '//x', '/kvaults//vaults'];
    for (const path of [...strange, `/${'x'.repeat(5_000)}`]) {
      expect(documented, path.slice(0, 50)).toContain(await nearest(path));
    }
  });
});
