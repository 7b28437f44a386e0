import { describe, expect, it } from 'vitest';
import {
  AnswerCache,
  type CacheRequest,
  type Produce,
  type Produced,
} from '../../src/http/answer-cache/answer-cache.ts';
import { requestedView } from '../../src/http/answer-cache/requested-view.ts';
import { traceOf } from '../../src/telemetry/request-trace.ts';

const request = (key: string, view = 'a-1', signal = new AbortController().signal): CacheRequest => ({
  key,
  view,
  signal,
  trace: traceOf(new Headers()),
});

/** Produces a text that depends on the View alone. */
const viewAnswer =
  (size: number, view = 'a-1'): Produce =>
  async (note) => {
    note.made = { view, units: 0 };
    return new Response('ab'.repeat(size / 2), { headers: { 'cache-control': 'public, max-age=1' } });
  };

const encodedOf = (produced: Produced) => {
  if (!('answer' in produced)) throw new Error('the answer was not cached');
  return produced.answer.encoded;
};
const put = async (cache: AnswerCache, key: string, size: number, view = 'a-1') =>
  encodedOf(await cache.findOrProduce(request(key, view), viewAnswer(size, view)));
const accepting = (coding: string) => ({
  method: 'GET',
  headers: new Headers({ 'accept-encoding': coding }),
});

describe('the answer cache', () => {
  it('finds an answer on its own View only', async () => {
    const cache = new AnswerCache();
    const encoded = await put(cache, '/a', 10);
    expect(cache.find('a-1', '/a')?.encoded).toBe(encoded);
    expect(cache.find('a-2', '/a')).toBeUndefined();
    expect(cache.find('a-1', '/b')).toBeUndefined();
  });

  it('stores an answer under the View that it was made from', async () => {
    const cache = new AnswerCache();
    await cache.findOrProduce(request('/a', 'a-1'), viewAnswer(10, 'a-2'));
    expect(cache.find('a-1', '/a')).toBeUndefined();
    expect(cache.find('a-2', '/a')).toBeDefined();
  });

  it('evicts the least recently used answers beyond its size', async () => {
    const cache = new AnswerCache(40_000);
    for (const key of ['/a', '/b', '/c']) await put(cache, key, 10_000);
    expect(cache.find('a-1', '/a')).toBeDefined();
    await put(cache, '/d', 10_000);
    expect(['/a', '/b', '/c', '/d'].filter((key) => cache.find('a-1', key) !== undefined)).toEqual([
      '/a',
      '/c',
      '/d',
    ]);
    expect(cache.bytes).toBeGreaterThan(30_000);
    expect(cache.bytes).toBeLessThanOrEqual(40_000);
  });

  it('counts compressed forms', async () => {
    const cache = new AnswerCache(1_000_000);
    const encoded = await put(cache, '/a', 100_000);
    const before = cache.bytes;
    const { body } = await encoded.answer(accepting('gzip'));
    expect(cache.bytes - before).toBe(body?.byteLength);
  });

  it('does not let an answer that exceeds its size evict the others', async () => {
    const cache = new AnswerCache(20_000);
    await put(cache, '/a', 1_000);
    expect((await put(cache, '/huge', 30_000)).byteLength).toBe(30_000);
    expect(cache.find('a-1', '/huge')).toBeUndefined();
    expect(cache.find('a-1', '/a')).toBeDefined();
  });

  it('drops the answers of Views that are gone', async () => {
    const cache = new AnswerCache();
    for (const view of ['a-1', 'a-2', 'b-1']) await put(cache, '/a', 10, view);
    cache.prune((view) => view !== 'a-1');
    expect(['a-1', 'a-2', 'b-1'].map((view) => cache.find(view, '/a') !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each<[string, Produce]>([
    [
      'reads outside the View',
      async (note) => {
        note.isFixedByView = false;
        note.made = { view: 'a-1', units: 0 };
        return new Response('x');
      },
    ],
    [
      'is an error',
      async (note) => {
        note.made = { view: 'a-1', units: 0 };
        return new Response('x', { status: 400 });
      },
    ],
    [
      'is a stream',
      async (note) => {
        note.made = { view: 'a-1', units: 0 };
        return new Response('x', { headers: { 'content-type': 'text/event-stream' } });
      },
    ],
    ['was not finished', async () => new Response('x')],
  ])('does not store an answer that %s', async (_, produce) => {
    const cache = new AnswerCache();
    expect(await cache.findOrProduce(request('/a'), produce)).toHaveProperty('response');
    expect(cache.find('a-1', '/a')).toBeUndefined();
  });
});

describe('identical requests at the same time', () => {
  it('share one production', async () => {
    const cache = new AnswerCache();
    let runs = 0;
    const produce: Produce = async (note, signal) => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return await viewAnswer(10)(note, signal);
    };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => cache.findOrProduce(request('/a'), produce)),
    );
    expect([runs, new Set(all.map(encodedOf)).size]).toEqual([1, 1]);
    expect(all.map((each) => 'isShared' in each && each.isShared)).toEqual([false, ...Array(19).fill(true)]);
  });

  it('produce their own answers if the first one is not cacheable', async () => {
    const cache = new AnswerCache();
    let runs = 0;
    const produce: Produce = async (note) => {
      runs += 1;
      note.isFixedByView = false;
      return new Response(`answer ${runs}`);
    };
    const all = await Promise.all(
      Array.from({ length: 3 }, () => cache.findOrProduce(request('/a'), produce)),
    );
    const texts = all.map((each) => ('response' in each ? each.response.text() : ''));
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['answer 1', 'answer 2', 'answer 3']));
  });

  it('fail together, and the next one tries again', async () => {
    const cache = new AnswerCache();
    const failing: Produce = async () => {
      throw new Error('no');
    };
    const both = [cache.findOrProduce(request('/a'), failing), cache.findOrProduce(request('/a'), failing)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await put(cache, '/a', 10)).byteLength).toBe(10);
  });

  it('survive the first caller leaving and are aborted with the last', async () => {
    const cache = new AnswerCache();
    const [first, second] = [new AbortController(), new AbortController()];
    let finish: () => void = () => undefined;
    let aborted = false;
    const produce: Produce = (note, signal) =>
      new Promise<Response>((resolve, reject) => {
        finish = () => void viewAnswer(10)(note, signal).then(resolve);
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    const one = cache.findOrProduce(request('/a', 'a-1', first.signal), produce);
    const two = cache.findOrProduce(request('/a', 'a-1', second.signal), produce);
    first.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    expect(aborted).toBe(false);
    finish();
    expect(encodedOf(await two).byteLength).toBe(10);

    aborted = false;
    const third = new AbortController();
    const alone = cache.findOrProduce(request('/b', 'a-1', third.signal), produce);
    third.abort(new Error('gone too'));
    await expect(alone).rejects.toThrow('gone too');
    expect(aborted).toBe(true);
  });
});

describe('the View of a request', () => {
  const VIEWS = { newest: () => 'v3', isReadable: (view: string) => ['v2', 'v3'].includes(view) };
  const viewOf = (headers: Readonly<Record<string, string>>, continues?: string) =>
    requestedView(new Headers(headers), VIEWS, continues);

  it('is the one that its headers name, else the one that it continues, else the newest', () => {
    expect(viewOf({})).toBe('v3');
    expect(viewOf({}, 'v2')).toBe('v2');
    expect(viewOf({ 'x-view': 'v3' }, 'v2')).toBe('v3');
    expect(viewOf({}, 'v1')).toBe('v3');
  });

  it('is unknown for one that is gone, and for a slot that must be reached', () => {
    expect(viewOf({ 'x-view': 'v1' })).toBeNull();
    expect(viewOf({ 'x-min-slot': '5' }, 'v2')).toBeNull();
  });
});
