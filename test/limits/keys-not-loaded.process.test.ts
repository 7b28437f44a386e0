import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiKey, makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyRing } from '../../src/limits/keys/key-ring.ts';
import type { KeyStore } from '../../src/limits/keys/key-store.ts';
import { MemoryWindow } from '../../src/limits/memory-window.ts';
import { Networks } from '../../src/limits/network-address.ts';
import { RateLimit } from '../../src/limits/rate-limit.ts';
import { LimitMetrics } from '../../src/telemetry/limit-metrics.ts';

const { key, text } = makeKey({ name: 'early', limit: 3, origins: [] }, new Date(0));

/** A gateway that has not loaded its keys yet, and the keys it will load. */
function unread(stored: () => Promise<readonly ApiKey[]>) {
  const store: KeyStore = {
    all: stored,
    add: () => Promise.resolve(),
    revoke: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  };
  const keys = new KeyRing(store, () => undefined);
  const limit = new RateLimit({
    window: new MemoryWindow(),
    keys,
    trust: { proxies: new Networks([]), header: 'x-forwarded-for' },
    limit: 1,
    requireKey: false,
    publicOrigin: null,
    tokens: {
      issue: () => ({ token: '', expiresAt: new Date(0) }),
      verify: (token) => (token === 'of-the-key' ? key.id : null),
    },
    metrics: new LimitMetrics(new Registry()),
  });
  const asks = (headers: Readonly<Record<string, string>>, target = '/') =>
    limit.allowanceOf(new Headers(headers), '192.0.2.1', target);
  return { keys, asks };
}

const BEARER = { authorization: `Bearer ${text}` };

describe('a request with a key that arrives before the keys are loaded', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for them, then uses the limit of its key', async () => {
    const { keys, asks } = unread(() => Promise.resolve([key]));
    const allowance = asks(BEARER);
    const both = Promise.all([allowance.spend(1), allowance.spend(1)]);
    await keys.load();
    expect(await both).toEqual([null, null]);
    expect(allowance.headers()).toMatchObject({ 'ratelimit-policy': '"key";q=3;w=60' });
    expect(allowance.headers().ratelimit).toMatch(/^"key";r=1;/);
    expect(allowance.client).toBe(`key:${key.id}`);
    expect(allowance.streamToken()).not.toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can open a stream with its token', async () => {
    const { keys, asks } = unread(() => Promise.resolve([key]));
    const allowance = asks({ accept: 'text/event-stream' }, '/graphql?token=of-the-key');
    const spent = allowance.spend(1);
    await keys.load();
    expect(await spent).toBeNull();
    expect(allowance.client).toBe(`key:${key.id}`);
  });

  it('is refused when its key is not among them', async () => {
    const { keys, asks } = unread(() => Promise.resolve([]));
    const spent = asks(BEARER).spend(1);
    await keys.load();
    expect(await spent).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('is asked to retry when they cannot be loaded', async () => {
    const { keys, asks } = unread(() => Promise.reject(new Error('away')));
    const spent = asks(BEARER).spend(1);
    await keys.load();
    expect(await spent).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits at most two seconds, and later requests share that wait', async () => {
    const { asks } = unread(() => Promise.resolve([key]));
    const first = asks(BEARER).spend(0);
    await vi.advanceTimersByTimeAsync(1_500);
    const second = asks(BEARER).spend(0);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(vi.getTimerCount()).toBe(0);
    const third = asks(BEARER).spend(0);
    for (const spent of [first, second, third])
      expect(await spent).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });

  it('does not wait when the gateway stops', async () => {
    const { keys, asks } = unread(() => Promise.resolve([key]));
    const spent = asks(BEARER).spend(0);
    await keys.stop();
    expect(await spent).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  });

  it('delays no request without a key or with a malformed one', async () => {
    const { asks } = unread(() => Promise.resolve([key]));
    expect(asks({}).spend(0)).toBeNull();
    expect(await asks({ authorization: 'Basic abc' }).spend(0)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
