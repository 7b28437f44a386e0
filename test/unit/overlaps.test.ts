import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { overlapsTooOften } from '../../src/graphql/cost/overlaps.ts';

const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const tooOften = (text: string, ceiling: number) => overlapsTooOften(parse(text), ceiling);

describe('fields that overlap', () => {
  it('are counted each with each, on every level', () => {
    // Five of `a` and five of `b`.
    expect(tooOften(`{ ${'a { b } '.repeat(5)} }`, 50)).toBe(false);
    expect(tooOften(`{ ${'a { b } '.repeat(5)} }`, 49)).toBe(true);
  });

  it('are those of one answer: under other names they are others', () => {
    expect(tooOften(`{ ${repeated(5, (i) => `x${i}: a { b }`)} }`, 10)).toBe(false);
    expect(tooOften(`{ ${repeated(5, (i) => `x: a(n: ${i}) { b }`)} }`, 49)).toBe(true);
  });

  it('are also those that come by fragments, and fragments are counted like fields', () => {
    const fragments = repeated(5, (i) => `fragment F${i} on Query { a }`);
    expect(tooOften(`{ ${repeated(5, (i) => `...F${i}`)} } ${fragments}`, 50)).toBe(false);
    expect(tooOften(`{ ${repeated(5, (i) => `...F${i}`)} } ${fragments}`, 49)).toBe(true);
    expect(tooOften(`{ ${'... { a } '.repeat(5)} }`, 24)).toBe(true);
  });

  it('are found in fragments that nobody uses', () => {
    expect(tooOften(`{ a } fragment F on Query { ${'b '.repeat(5)} }`, 25)).toBe(true);
  });

  it('are counted in a bounded time when fragments multiply or go round', () => {
    const doubling = repeated(
      100,
      (i) => `fragment F${i} on Query { a { ...F${i + 1} } b { ...F${i + 1} } }`,
    );
    expect(tooOften(`{ ...F0 } ${doubling} fragment F100 on Query { a }`, 1_000)).toBe(false);
    expect(
      tooOften('{ ...A } fragment A on Query { a { ...B } } fragment B on Query { a { ...A } }', 1_000),
    ).toBe(false);
    const merging = repeated(
      40,
      (i) => `fragment F${i} on Query { a { ...F${i + 1} } a { ...F${i + 1} a } }`,
    );
    expect(tooOften(`{ ...F0 } ${merging} fragment F40 on Query { a }`, 1_000)).toBe(false);
  });
});
