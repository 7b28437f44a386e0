import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { fitAnswer } from '../../src/mcp/fit-answer.ts';
import { decodeCursor, encodeCursor } from '../../src/mcp/page-cursor.ts';

const items = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);
const OPTIONS = { limit: 100, seen: {}, whole: [] };

describe('an answer that fits', () => {
  it('is not changed', () => {
    const data = { list: items(3), other: { more: items(2) } };
    expect(fitAnswer(data, OPTIONS)).toEqual([]);
    expect(data).toEqual({ list: items(3), other: { more: items(2) } });
  });

  it('starts after the items that earlier parts had', () => {
    const data = { list: items(5) };
    expect(fitAnswer(data, { ...OPTIONS, seen: { list: 3 } })).toEqual([
      { path: 'list', from: 3, shown: 2, of: 5 },
    ]);
    expect(data).toEqual({ list: ['item 3', 'item 4'] });
  });
});

describe('an answer that does not fit', () => {
  it('loses the end of its largest list first', () => {
    const data = { small: items(2), inner: { large: items(50) } };
    // {"small":["item 0","item 1"],"inner":{"large":[]}} has 50 characters; an item takes 9.
    expect(fitAnswer(data, OPTIONS)).toEqual([{ path: 'inner.large', from: 0, shown: 5, of: 50 }]);
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(100);
    expect(data.small).toEqual(items(2));
  });

  it('cuts lists inside the items of a list when one item is too large', () => {
    const data = { list: [{ inner: items(30) }, { inner: items(10) }] };
    expect(fitAnswer(data, OPTIONS)).toEqual([
      { path: 'list', from: 0, shown: 1, of: 2 },
      { path: 'list.*.inner', from: 0, shown: 5, of: 30 },
    ]);
    expect(data).toEqual({ list: [{ inner: items(5) }] });
  });

  it('ends a page at the cursor of its last item', () => {
    const edges = items(20).map((node, index) => ({ cursor: `c${index}`, node }));
    const data = { things: { pageInfo: { hasNextPage: false, endCursor: 'c19' }, edges } };
    const [cut] = fitAnswer(data, { ...OPTIONS, limit: 200 });
    const { edges: shown, pageInfo } = data.things;
    expect([shown.length, shown.length > 1]).toEqual([cut?.shown, true]);
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: `c${shown.length - 1}` });
  });

  it('keeps the lists that must be whole, and fails with a code when nothing else can be cut', () => {
    const data = { transactions: items(20), logs: items(20) };
    expect(() => fitAnswer(data, { ...OPTIONS, whole: ['transactions'] })).toThrow(SluiceError);
    expect(data.transactions).toHaveLength(20);
    expect(() => fitAnswer({ text: 'x'.repeat(200) }, OPTIONS)).toThrow('more than 100 characters');
  });
});

describe('a cursor', () => {
  it('names the View and the items that were shown', () => {
    const position = { view: 'a-1', seen: { 'market.reserves': 12 } };
    expect(decodeCursor(encodeCursor(position))).toEqual(position);
  });

  it('is refused when it is not one of ours', () => {
    const forged = Buffer.from('{"view":"a","seen":{"x":-1}}').toString('base64url');
    for (const cursor of ['', 'x', forged]) expect(() => decodeCursor(cursor)).toThrow('is not a cursor');
  });
});
