import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson, stringifyExactJson } from '../src/transport/exact-json.ts';

describe('exact JSON', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['[1,18446744073709551615 , 2]', [1, 18446744073709551615n, 2]],
    ['{"a":{"b":[18446744073709551614]}}', { a: { b: [18446744073709551614n] } }],
    ['"18446744073709551615"', '18446744073709551615'],
    [
      '{"18446744073709551615":"x:18446744073709551615,"}',
      { '18446744073709551615': 'x:18446744073709551615,' },
    ],
    ['["\\"18446744073709551615",18446744073709551615]', ['"18446744073709551615', 18446744073709551615n]],
    ['["\\\\",18446744073709551615,"\\\\\\""]', ['\\', 18446744073709551615n, '\\"']],
    ['[0.1234567890123456789,12345678901234567.5,1e30]', [0.12345678901234568, 12345678901234568, 1e30]],
  ])('%s', (json, value) => {
    expect(parseExactJson(json)).toEqual(value);
  });

  it.each([
    '',
    '{',
    '"',
    '"\\',
    '[1',
    '[18446744073709551615',
    'nul',
    '{"a":18446744073709551615,}',
    '['.repeat(500),
    '['.repeat(500) + ']'.repeat(500),
  ])('rejects %j', (json) => {
    expect(() => parseExactJson(json)).toThrow(SyntaxError);
  });

  it('agrees with JSON.parse on values without unsafe integers', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const plain = JSON.parse(json);
        const exact = parseExactJson(json);
        const asNumbers = JSON.parse(stringifyExactJson(exact));
        expect(asNumbers).toEqual(plain);
      }),
    );
  });

  it('round-trips every digit', () => {
    const leaf = fc.oneof(fc.bigInt(), fc.string(), fc.boolean(), fc.constant(null));
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node')),
        fc.dictionary(fc.string(), tie('node'), { noNullPrototype: true }),
      ),
    })).node;
    // A safe bigint is parsed as a number.
    const normal = (_: string, v: unknown) =>
      typeof v === 'bigint' ? `n${v}` : typeof v === 'number' ? `n${v}` : v;
    fc.assert(
      fc.property(tree, (value) => {
        const back = parseExactJson(stringifyExactJson(value));
        expect(JSON.stringify(back, normal)).toBe(JSON.stringify(value, normal));
      }),
    );
  });
});
