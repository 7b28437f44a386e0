import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../src/graphql/document-cache.ts';

const text = (letter: string) => letter.repeat(10);

const setTwice = <T extends object>(cache: DocumentCache<T>, each: string, document: T) => {
  cache.set(each, document);
  cache.set(each, document);
};

describe('DocumentCache', () => {
  it('caches a document that occurs a second time', () => {
    const cache = new DocumentCache<{ name: string }>();
    cache.set(text('a'), { name: 'first' });
    expect(cache.get(text('a'))).toBeUndefined();
    cache.set(text('b'), { name: 'other' });
    cache.set(text('a'), { name: 'second' });
    expect(cache.get(text('a'))).toEqual({ name: 'second' });
    expect(cache.get(text('b'))).toBeUndefined();
  });

  it('evicts the least recently used document, by total text length', () => {
    const cache = new DocumentCache<{ name: string }>(100);
    const letters = [...'abcdefghij'];
    for (const name of letters) setTwice(cache, text(name), { name });
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    setTwice(cache, text('k'), { name: 'k' });
    expect(cache.get(text('b'))).toBeUndefined();
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    expect(cache.get(text('k'))).toEqual({ name: 'k' });
  });

  it('does not cache a document longer than a tenth of its capacity', () => {
    const cache = new DocumentCache<object>(100);
    setTwice(cache, 'x'.repeat(11), {});
    expect(cache.get('x'.repeat(11))).toBeUndefined();
  });
});
