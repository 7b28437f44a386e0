import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bytesOf, parseAccountsJson, parseManyAccountsJson } from '../src/transport/account-json.ts';

const account = (data: Uint8Array, lamports = '1') =>
  `{"data":["${Buffer.from(data).toString('base64')}","base64"],"lamports":${lamports},"rentEpoch":18446744073709551615}`;
const page = (...accounts: readonly string[]) => `{"result":{"value":[${accounts.join(',')}]},"id":"1"}`;

interface Page {
  readonly result: {
    readonly value: readonly ({ readonly data: [string | Uint8Array]; readonly lamports: unknown } | null)[];
  };
}

const parsed = (json: string) => parseAccountsJson(Buffer.from(json)) as Page;
const dataIn = ({ result }: Page) => result.value.map((each) => each && Buffer.from(bytesOf(each.data)));

describe('parseAccountsJson', () => {
  it('returns the bytes of every account, whatever its length, and null for a missing one', () => {
    const data = fc.option(fc.uint8Array({ maxLength: 4_000, size: 'max' }));
    fc.assert(
      fc.property(fc.array(data, { maxLength: 5 }), (all) => {
        const answer = parsed(page(...all.map((each) => (each === null ? 'null' : account(each)))));
        expect(dataIn(answer)).toEqual(all.map((each) => each && Buffer.from(each)));
      }),
    );
  });

  it('decodes long data and retains no part of the body', () => {
    const body = Buffer.from(page(account(Buffer.alloc(62_552, 'sluice')), account(Buffer.alloc(165, 7))));
    const answer = parseAccountsJson(body) as Page;
    body.fill(0);
    expect(answer.result.value.map((each) => typeof each?.data[0])).toEqual(['object', 'string']);
    expect(dataIn(answer)).toEqual([Buffer.alloc(62_552, 'sluice'), Buffer.alloc(165, 7)]);
  });

  it.each([165, 9_000])('gives %s bytes whose slices are copies', (length) => {
    const [only] = parsed(page(account(Buffer.alloc(length, 7)))).result.value;
    const bytes = bytesOf(only?.data ?? expect.fail('no account'));
    bytes.slice().fill(0);
    expect(Buffer.from(bytes)).toEqual(Buffer.alloc(length, 7));
  });

  it.each(['9007199254740993', '184467440737095516159', '18446744073709551614'])(
    'reads the unsafe integer %s exactly, next to long data',
    (large) => {
      const answer = parsed(page(account(Buffer.alloc(9_000), large), account(Buffer.alloc(1))));
      expect(answer.result.value.map((each) => each?.lamports)).toEqual([BigInt(large), 1]);
      expect(dataIn(answer)).toEqual([Buffer.alloc(9_000), Buffer.alloc(1)]);
    },
  );

  it.each([
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['{"owner":"Sysvar1111111111111111111111111","lamports": 9007199254740993}', 9_007_199_254_740_993n],
    ['["11111111111111111111111111111111",9007199254740993]', 9_007_199_254_740_993n],
  ])('reads the unsafe integer in %s exactly', (json, large) => {
    const answer = parseAccountsJson(Buffer.from(json));
    expect(typeof answer === 'object' ? Object.values(answer ?? {}).at(-1) : answer).toBe(large);
  });

  it.each([
    ['escaped characters', JSON.stringify({ note: `${'y'.repeat(3_000)}"\\\n` })],
    ['non-ASCII characters', JSON.stringify({ note: '€'.repeat(3_000) })],
    ['long text that is not data', JSON.stringify({ error: { code: 1, message: 'm'.repeat(3_000) } })],
    ['long text in a pair', JSON.stringify(['x'.repeat(3_000), 'base58'])],
    ['whitespace between tokens', JSON.stringify({ data: ['QUJD'.repeat(999), 'base64'] }, null, 1)],
    ['a single long string', JSON.stringify('z'.repeat(3_000))],
    ['fractions and exponents', '[0.1234567890123456789,12345678901234567.5,1e30,-1]'],
  ])('reads %s as JSON.parse does', (_, json) => {
    expect(parsed(json)).toEqual(JSON.parse(json));
  });

  it.each(['', '{', '"', '[1', `["${'a'.repeat(2_000)}`, `["${'a'.repeat(2_000)}"`, 'nul', '['.repeat(500)])(
    'rejects %.20j',
    (json) => {
      expect(() => parsed(json)).toThrow(SyntaxError);
    },
  );

  it('rejects data with unbalanced quotes', () => {
    const long = 'a'.repeat(2_000);
    for (const broken of [`["b" ${long}","base64"]`, `[${long}","base64"]`, `["b",${long},"","base64"]`])
      expect(() => parsed(broken)).toThrow(SyntaxError);
  });

  it.each(['null', account(Buffer.alloc(9_000))])('rejects excessive nesting next to %.4s', (sibling) => {
    for (const levels of [201, 500, 100_000])
      expect(() => parsed(`[${sibling},${'['.repeat(levels)}${']'.repeat(levels)}]`)).toThrow(SyntaxError);
    const deep = `${'['.repeat(190)}${']'.repeat(190)}`;
    expect(() => parsed(`[${sibling},${deep}]`)).not.toThrow();
  });

  it('rejects invalid UTF-8', () => {
    expect(() => parseAccountsJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(SyntaxError);
  });
});

describe('parseManyAccountsJson', () => {
  const MANY = 3_000;
  const entries = (entry: (i: number) => string, length = MANY) =>
    Array.from({ length }, (_, i) => entry(i)).join(',');
  const marked = (i: number) => account(Buffer.alloc(16, i), String(2 ** 60 + i * 256));
  const textOf = (answer: unknown) =>
    JSON.stringify(answer, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));
  const parsedInTurns = (json: string) => parseManyAccountsJson(Buffer.from(json), () => null);

  it.each([
    ['a list', `{"result":[${entries((i) => `{"pubkey":"a${i}","account":${marked(i)}}`)}],"id":"1"}`],
    [
      'a list in context',
      `{"id":"1","result":{"context":{"slot":9007199254740993},"value":[${entries(marked)}]}}`,
    ],
    [
      'accounts before their address',
      `{"result":[${entries((i) => `{"account":${marked(i)},"pubkey":"a"}`)}]}`,
    ],
    ['long data', `{"result":[${entries((i) => account(Buffer.alloc(30_000, i)), 50)}]}`],
    ['missing accounts', `{"result":[${entries((i) => (i % 3 === 0 ? 'null' : marked(i)))}]}`],
    ['objects in accounts', `{"result":[${entries((i) => `{"account":${marked(i)},"more":[{},{}]}`)}]}`],
    ['the text between two accounts', `{"result":[${entries(() => '{"note":"},{"}')}]}`],
    ['the text around a list', `{"note":"[{","result":[${entries(marked)}],"more":"}]"}`],
    ['no account', '{"result":{"context":{"slot":1},"value":[]},"id":"1"}'],
    ['an error', '{"error":{"code":1,"message":"[{},{}]"},"id":"1"}'],
    ['another list', `{"other":[${entries(marked)}],"result":[]}`],
    [
      'whitespace between tokens',
      JSON.stringify({ result: Array.from({ length: MANY }, () => ({})) }, null, 1),
    ],
    ['null', 'null'],
  ])('reads %s as parseAccountsJson does', async (_, json) => {
    expect(textOf(await parsedInTurns(json))).toBe(textOf(parsed(json)));
  });

  it.each(['{"result":[{},{}', `{"result":[${entries(marked)},{]}`, `{"result":[${entries(marked)}]`, ''])(
    'rejects %.20j',
    async (json) => {
      await expect(parsedInTurns(json)).rejects.toThrow(SyntaxError);
    },
  );

  it('lets other work run between its pieces', async () => {
    let passed = 0;
    let next = setImmediate(function pass() {
      passed += 1;
      next = setImmediate(pass);
    });
    onTestFinished(() => clearImmediate(next));
    const body = Buffer.from(`{"result":[${entries((i) => account(Buffer.alloc(1_500, i)))}]}`);
    await parseManyAccountsJson(body, () => nextTurn());
    expect(body.length).toBeGreaterThan(6_000_000);
    expect(passed).toBeGreaterThanOrEqual(20);
  });
});
