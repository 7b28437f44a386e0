import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/rest/operation.ts';
import { OPERATIONS } from '../../src/rest/table.ts';
import { BUILDER_ERROR, misfits } from '../support/contract-fields.ts';
import { type ContractWorld, type RestAnswer, startContractWorld } from '../support/contract-world.ts';
import { answerProblems } from '../support/openapi-validator.ts';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

const exampleOf = (operation: Operation) => ({ ...operation.example(world.ledger.addresses).body });

/** A refusal in the documented shape, that tells nothing of our inside. */
function expectRefusal({ path, method }: Operation, answer: RestAnswer, status = 400): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ statusCode: status });
  expect(answerProblems(method, path, status, answer.body)).toEqual([]);
  expect(misfits(BUILDER_ERROR, answer.body)).toEqual([]);
  expect(answer.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|127\.0\.0\.1/);
  expect(answer.text.length).toBeLessThan(1_000);
}

/** What no field takes. */
const NO_STRING: readonly (readonly [string, unknown])[] = [
  ['a number', 5],
  ['a float', 1.5],
  ['true', true],
  ['null', null],
  ['a list', ['1']],
  ['an object', { toString: '1' }],
];
const NO_ADDRESS: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['a word', 'nonsense'],
  ['characters outside base58', '0OIl'.repeat(10)],
  ['31 bytes', '1'.repeat(31)],
  ['33 bytes', '1'.repeat(33)],
  ['too long', 'z'.repeat(100_000)],
  ['unicode', '🦀'.repeat(20)],
  ['right-to-left text', '\u202eDfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw'],
  ['a blank at the end', 'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw '],
  ['markup', '<script>alert(1)</script>'],
];
const NO_AMOUNT: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['a word', 'all'],
  ['an exponent', '1e9'],
  ['a comma', '1,5'],
  ['hexadecimal', '0x10'],
  ['infinity', 'Infinity'],
  ['not a number', 'NaN'],
  ['two points', '1.2.3'],
  ['a plus', '+1'],
  ['unicode digits', '１２'],
  ['another spelling of the maximum', 'u64::max'],
  ['too long', '9'.repeat(100_000)],
  ['a negative', '-1'],
];

const BODY_OPERATIONS = OPERATIONS.filter(({ body }) => body !== null);
const FIELDS = BODY_OPERATIONS.flatMap((operation) =>
  Object.keys(operation.body?.shape ?? {}).map((field) => ({ operation, path: operation.path, field })),
);

describe.each(FIELDS)('$path, field $field', ({ operation, path, field }) => {
  it('is required, and missing is told by its name', async () => {
    const { [field]: _, ...rest } = exampleOf(operation);
    const answer = await world.post(path, rest);
    expectRefusal(operation, answer);
    expect(answer.body).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`${field}: is missing`),
    });
  });

  it.each(NO_STRING)('refuses %s', async (_, value) => {
    const answer = await world.post(path, { ...exampleOf(operation), [field]: value });
    expectRefusal(operation, answer);
    expect(answer.body).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`${field}: must be`),
    });
  });

  it.each(field === 'amount' ? NO_AMOUNT : NO_ADDRESS)('refuses %s', async (_, value) => {
    world.proxy.reset();
    const answer = await world.post(path, { ...exampleOf(operation), [field]: value });
    expectRefusal(operation, answer);
    if (value !== '-1') expect(world.proxy.calls).toEqual([]);
  });
});

describe.each(BODY_OPERATIONS.map((operation) => ({ operation, path: operation.path })))(
  '$path, body',
  ({ operation, path }) => {
    it.each([
      ['nothing', ''],
      ['half an object', '{"wallet": "'],
      ['a word', 'wallet'],
      ['a comment', '{} // nothing'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a number', '5'],
      ['a string', '"wallet"'],
      ['deeply nested lists', `${'['.repeat(100_000)}`],
      ['an empty object', '{}'],
    ])('refuses %s', async (_, body) => {
      expectRefusal(operation, await world.post(path, body));
    });

    it('refuses another content type', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'nonsense',
        'application/jsonp',
      ]) {
        const answer = await world.post(path, exampleOf(operation), { headers: { 'content-type': type } });
        expectRefusal(operation, answer);
        expect(answer.text).toContain('application/json');
      }
    });

    it('takes JSON under its other names', async () => {
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON',
        'application/vnd.api+json',
      ]) {
        const headers = { 'content-type': type };
        expect((await world.post(path, exampleOf(operation), { headers })).status).toBe(200);
      }
    });

    it('refuses two megabytes, announced or not', async () => {
      const large = JSON.stringify({ ...exampleOf(operation), padding: 'x'.repeat(2_000_000) });
      const announced = { 'content-length': String(large.length) };
      for (const headers of [announced, {}]) {
        const answer = await world.post(path, large, { headers });
        expectRefusal(operation, answer, 413);
        expect(answer.body).toMatchObject({ code: 'BODY_TOO_LARGE', error: 'Payload Too Large' });
      }
    });

    it('is not fooled by keys of prototypes', async () => {
      const inherited = `{"__proto__": ${JSON.stringify(exampleOf(operation))}}`;
      expectRefusal(operation, await world.post(path, inherited));
      const plain = JSON.stringify(exampleOf(operation));
      const polluted = plain.replace(
        /^\{/,
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
      );
      expect((await world.post(path, polluted)).status).toBe(200);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });

    it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('answers %s with what is allowed', async (method) => {
      const answer = await world.post(path, exampleOf(operation), { method });
      expectRefusal(operation, answer, 405);
      expect(answer.headers.get('allow')).toBe('POST');
    });

    it('tells what is allowed when asked', async () => {
      const answer = await world.post(path, '', { method: 'OPTIONS' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST']);
    });
  },
);

describe('context headers', () => {
  const path = '/ktx/kvault/deposit-instructions';
  const ask = (headers: Readonly<Record<string, string>>) => {
    const operation = OPERATIONS.find((each) => each.path === path);
    if (operation === undefined) throw new Error(`no ${path}`);
    return world.post(path, exampleOf(operation), { headers });
  };

  it('are taken back', async () => {
    const view = (await ask({})).headers.get('x-view') ?? '';
    const again = await ask({ 'x-view': view, 'x-min-slot': '1' });
    expect([again.status, again.headers.get('x-view')]).toEqual([200, view]);
  });

  it.each([
    ['x-view', '999999', 'VIEW_GONE'],
    ['x-view', 'nonsense', 'NUMBER_OUT_OF_RANGE'],
    ['x-view', '-1', 'NUMBER_OUT_OF_RANGE'],
    ['x-min-slot', '1.5', 'NUMBER_OUT_OF_RANGE'],
    ['x-min-slot', '9'.repeat(30), 'NUMBER_OUT_OF_RANGE'],
  ])('%s: %s is refused', async (name, value, code) => {
    const answer = await ask({ [name]: value });
    expect(answer.body).toMatchObject({ statusCode: 400, code });
  });
});

describe('unknown paths', () => {
  it.each([
    ['/ktx/kvault/depost', '/ktx/kvault/deposit'],
    ['/ktx/kvault/deposit/', '/ktx/kvault/deposit'],
    ['/ktx/klend/borrow_instructions', '/ktx/klend/borrow-instructions'],
    ['/KTX/klend/repay', '/ktx/klend/repay'],
    ['/klend/withdraw', '/ktx/klend/withdraw'],
    [`/${'x'.repeat(5_000)}`, '/ktx/'],
    ['/ktx/klend/%F0%9F%A6%80', '/ktx/klend/'],
    ['/%', '/ktx/'],
  ])('%s: the nearest is named', async (path, nearest) => {
    const answer = await world.post(path, {});
    expect(answer.status).toBe(404);
    expect(Object.keys(answer.body as object)).toEqual(['error']);
    expect(answer.text).toContain(nearest);
    expect(answer.text.length).toBeLessThan(500);
  });
});
