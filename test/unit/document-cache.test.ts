import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../src/graphql/document-cache.ts';

const text = (letter: string) => letter.repeat(10);

const keep = <T extends object>(cache: DocumentCache<T>, each: string, document: T) => {
  cache.set(each, document);
  cache.set(each, document);
};

describe('the cache of documents', () => {
  it('keeps what comes again', () => {
    const cache = new DocumentCache<{ name: string }>();
    cache.set(text('a'), { name: 'first' });
    expect(cache.get(text('a'))).toBeUndefined();
    cache.set(text('b'), { name: 'other' });
    cache.set(text('a'), { name: 'second' });
    expect(cache.get(text('a'))).toEqual({ name: 'second' });
    expect(cache.get(text('b'))).toBeUndefined();
  });

  it('forgets what was not used for longest, by the length of all texts', () => {
    const cache = new DocumentCache<{ name: string }>(100);
    const letters = [...'abcdefghij'];
    for (const name of letters) keep(cache, text(name), { name });
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    keep(cache, text('k'), { name: 'k' });
    expect(cache.get(text('b'))).toBeUndefined();
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    expect(cache.get(text('k'))).toEqual({ name: 'k' });
  });

  it('takes no document that would push out a tenth of the others', () => {
    const cache = new DocumentCache<object>(100);
    keep(cache, 'x'.repeat(11), {});
    expect(cache.get('x'.repeat(11))).toBeUndefined();
  });
});
