import { describe, expect, it } from 'vitest';
import { DocumentCache } from '../../src/graphql/document-cache.ts';

const text = (letter: string) => letter.repeat(10);

describe('the cache of documents', () => {
  it('forgets what was not used for longest, by the length of all texts', () => {
    const cache = new DocumentCache<{ name: string }>(100);
    const letters = [...'abcdefghij'];
    for (const name of letters) cache.set(text(name), { name });
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    cache.set(text('k'), { name: 'k' });
    expect(cache.get(text('b'))).toBeUndefined();
    expect(cache.get(text('a'))).toEqual({ name: 'a' });
    expect(cache.get(text('k'))).toEqual({ name: 'k' });
  });

  it('takes no document that would push out a tenth of the others', () => {
    const cache = new DocumentCache<object>(100);
    cache.set('x'.repeat(11), {});
    expect(cache.get('x'.repeat(11))).toBeUndefined();
  });
});
