import { describe, expect, it } from 'vitest';
import { ShapeCheck, shapeOf } from '../support/captures/capture-shape.ts';
import { CAPTURES, hasCapture, readCapture, readShape } from '../support/captures/captures.ts';

const MINT = 'So11111111111111111111111111111111111111112';

const ANSWER = {
  mint: MINT,
  at: '2026-10-02T00:00:00.000Z',
  rate: '0.05',
  count: 3,
  share: 0.5,
  empty: {},
  unknown: null,
  items: [
    { on: true, cap: '1e-16' },
    { on: false, cap: null },
  ],
  byMint: { [MINT]: ['x'] },
};

const faultsOf = (answer: unknown, without?: readonly string[], unseen?: readonly string[]) => {
  const check = new ShapeCheck(shapeOf(ANSWER), without, unseen);
  check.add(answer);
  return check.faults;
};

describe('the shape of an answer', () => {
  it('has the kinds of values at each path, and none of the values', () => {
    expect(shapeOf(ANSWER)).toEqual({
      $: 'object',
      '$.at': 'date',
      '$.byMint': 'object',
      '$.byMint.*': 'list',
      '$.byMint.*[]': 'string',
      '$.count': 'integer',
      '$.empty': 'object',
      '$.items': 'list',
      '$.items[]': 'object',
      '$.items[].cap': 'decimal | null',
      '$.items[].on': 'boolean',
      '$.mint': 'address',
      '$.rate': 'decimal',
      '$.share': 'number',
      '$.unknown': 'null',
    });
  });

  it('fits answers with more fields and other values of the same kinds', () => {
    const other = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    const items = [{ on: true, cap: '7', more: 1 }];
    expect(faultsOf({ ...ANSWER, mint: other, share: 1, unknown: 'known', items, more: 1 })).toEqual([]);
  });

  it.each([
    ['a missing field', { ...ANSWER, rate: undefined }, '$.rate'],
    ['a number for a decimal', { ...ANSWER, rate: 0.05 }, '$.rate'],
    ['a fraction for an integer', { ...ANSWER, count: 1.5 }, '$.count'],
    ['seconds for a date', { ...ANSWER, at: 1_790_000_000 }, '$.at'],
    ['a date without milliseconds', { ...ANSWER, at: '2026-10-02T00:00:00Z' }, '$.at'],
    ['a name for an address', { ...ANSWER, mint: 'SOL' }, '$.mint'],
    ['text for an object', { ...ANSWER, empty: 'x' }, '$.empty'],
    ['a list for an object', { ...ANSWER, byMint: [] }, '$.byMint'],
    ['a field missing in one item', { ...ANSWER, items: [...ANSWER.items, { on: true }] }, '$.items[].cap'],
    ['a field that has no value anywhere', { ...ANSWER, rate: null }, '$.rate'],
    ['a list without items', { ...ANSWER, items: [] }, '$.items[].cap'],
  ])('does not fit %s', (_, answer, path) => {
    expect(
      faultsOf(JSON.parse(JSON.stringify(answer))).filter((fault) => fault.startsWith(path)),
    ).not.toEqual([]);
  });

  it('may be checked without some paths, and with others always null', () => {
    const { items: _, ...rest } = ANSWER;
    expect(faultsOf({ ...rest, rate: null }, ['$.items'], ['$.rate'])).toEqual([]);
  });
});

describe('committed shapes', () => {
  it.each(CAPTURES)('$name has the paths that it leaves out', (capture) => {
    const shape = readShape(capture);
    expect(Object.keys(capture.without ?? {}).filter((path) => shape[path] === undefined)).toEqual([]);
  });

  const present = CAPTURES.filter(hasCapture);
  const note = present.length === 0 ? ' (skipped: the folder with captures is absent)' : '';
  it.skipIf(present.length === 0)(`are those of the captures${note}`, () => {
    for (const capture of present) {
      expect(shapeOf(readCapture(capture)), capture.name).toEqual(readShape(capture));
    }
  });
});
