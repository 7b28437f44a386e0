import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { hasTooManyOverlaps } from '../../src/graphql/cost/overlaps.ts';

const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const tooMany = (text: string, ceiling: number) => hasTooManyOverlaps(parse(text), ceiling);

describe('overlapping fields', () => {
  it('are counted in pairs on every level', () => {
    // Five of `a` and five of `b`.
    expect(tooMany(`{ ${'a { b } '.repeat(5)} }`, 50)).toBe(false);
    expect(tooMany(`{ ${'a { b } '.repeat(5)} }`, 49)).toBe(true);
  });

  it('share a response key: aliases separate them', () => {
    expect(tooMany(`{ ${repeated(5, (i) => `x${i}: a { b }`)} }`, 10)).toBe(false);
    expect(tooMany(`{ ${repeated(5, (i) => `x: a(n: ${i}) { b }`)} }`, 49)).toBe(true);
  });

  it('include those of fragments, and spreads are counted like fields', () => {
    const fragments = repeated(5, (i) => `fragment F${i} on Query { a }`);
    expect(tooMany(`{ ${repeated(5, (i) => `...F${i}`)} } ${fragments}`, 50)).toBe(false);
    expect(tooMany(`{ ${repeated(5, (i) => `...F${i}`)} } ${fragments}`, 49)).toBe(true);
    expect(tooMany(`{ ${'... { a } '.repeat(5)} }`, 24)).toBe(true);
  });

  it('are counted in unused fragments too', () => {
    expect(tooMany(`{ a } fragment F on Query { ${'b '.repeat(5)} }`, 25)).toBe(true);
  });

  it('are counted in bounded time when fragments multiply or form a cycle', () => {
    const doubling = repeated(
      100,
      (i) => `fragment F${i} on Query { a { ...F${i + 1} } b { ...F${i + 1} } }`,
    );
    expect(tooMany(`{ ...F0 } ${doubling} fragment F100 on Query { a }`, 1_000)).toBe(false);
    expect(
      tooMany('{ ...A } fragment A on Query { a { ...B } } fragment B on Query { a { ...A } }', 1_000),
    ).toBe(false);
    const merging = repeated(
      40,
      (i) => `fragment F${i} on Query { a { ...F${i + 1} } a { ...F${i + 1} a } }`,
    );
    expect(tooMany(`{ ...F0 } ${merging} fragment F40 on Query { a }`, 1_000)).toBe(false);
  });
});
