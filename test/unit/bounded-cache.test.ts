import { describe, expect, it } from 'vitest';
import { BoundedCache } from '../../src/collections/bounded-cache.ts';

describe('bounded cache', () => {
  it('never holds more than it may', () => {
    const cache = new BoundedCache<number, string>(3);
    for (let i = 0; i < 100; i += 1) cache.set(i, String(i));
    expect(cache.size).toBe(3);
    expect([96, 97, 98, 99].map((key) => cache.get(key))).toEqual([undefined, '97', '98', '99']);
  });

  it('lets go of a few at a time when it is large, the oldest first', () => {
    const cache = new BoundedCache<number, number>(640);
    for (let i = 0; i <= 640; i += 1) cache.set(i, i);
    expect(cache.size).toBe(631);
    expect([9, 10, 640].map((key) => cache.get(key))).toEqual([undefined, 10, 640]);
    for (let i = 641; i <= 649; i += 1) cache.set(i, i);
    expect(cache.size).toBe(640);
  });

  it('lets go of what was not used for longest', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('replaces a value in its place', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    expect(cache.size).toBe(2);
    cache.set('c', 4);
    expect([cache.get('a'), cache.get('b')]).toEqual([3, undefined]);
  });
});
