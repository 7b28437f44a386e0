import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { float, foreign, type Json, RawJson, toChunks, toText } from '../../src/rpc/json.ts';
import { uiAmountString } from '../../src/rpc/token-amount.ts';

const read = (value: Json) => Buffer.concat(toChunks(value)).toString('utf8');

describe('the JSON writer', () => {
  test('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(foreign(value).text()).toBe(JSON.stringify(value));
        expect(read(foreign(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  test('writes integers of any size digit by digit', () => {
    fc.assert(fc.property(fc.bigInt(), (value) => toText({ value }) === `{"value":${value}}`));
    expect(toText([18_446_744_073_709_551_615n, -9_223_372_036_854_775_808n])).toBe(
      '[18446744073709551615,-9223372036854775808]',
    );
  });

  test('leaves absent fields out', () => {
    expect(toText({ a: undefined, b: null, c: undefined, d: 1 })).toBe('{"b":null,"d":1}');
    expect(toText({ a: undefined })).toBe('{}');
  });

  test('writes floats as floats', () => {
    expect(toText([float(0), float(2), float(1.5), float(1e21)])).toBe('[0.0,2.0,1.5,1e+21]');
  });

  test('writes a large answer in chunks', () => {
    const item = new RawJson(() => `"${'é'.repeat(300_000)}"`);
    const chunks = toChunks([item, item, item, item, item]);
    expect(chunks.length).toBeGreaterThan(1);
    expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toEqual(Array(5).fill('é'.repeat(300_000)));
  });
});

test('an amount has a decimal point and no trailing zeros', () => {
  expect(uiAmountString(0n, 6)).toBe('0');
  expect(uiAmountString(1n, 6)).toBe('0.000001');
  expect(uiAmountString(1_500_000n, 6)).toBe('1.5');
  expect(uiAmountString(18_446_744_073_709_551_615n, 9)).toBe('18446744073.709551615');
  expect(uiAmountString(100n, 0)).toBe('100');
});
