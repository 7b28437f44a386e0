import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { type ApiKey, makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyRing } from '../../src/limits/keys/key-ring.ts';
import { MemoryWindow } from '../../src/limits/memory-window.ts';
import { Networks } from '../../src/limits/network-address.ts';
import { RateLimit } from '../../src/limits/rate-limit.ts';
import { LimitMetrics } from '../../src/telemetry/limit-metrics.ts';

const { key, text } = makeKey({ name: 'page', limit: 20, origins: [] }, new Date(0));
const free = makeKey({ name: 'free', limit: 0, origins: [] }, new Date(0)).key;

async function world(limit: number, stored: readonly ApiKey[] = [key, free]) {
  let now = 1_000;
  const store = {
    all: async () => stored,
    add: async () => undefined,
    revoke: async () => false,
    close: async () => undefined,
  };
  const keys = new KeyRing(store, () => undefined);
  await keys.load();
  const payments = new RateLimit({
    window: new MemoryWindow({ now: () => now }),
    keys,
    trust: { proxies: new Networks([]), header: 'x-forwarded-for' },
    limit,
    requireKey: false,
    publicOrigin: null,
    tokens: { issue: () => ({ token: '', expiresAt: new Date(0) }), verify: () => null },
    metrics: new LimitMetrics(new Registry()),
  });
  return {
    payments,
    request: (headers: Readonly<Record<string, string>> = {}) =>
      payments.allowanceOf(new Headers(headers), '192.0.2.1', '/'),
    pass(seconds: number) {
      now += seconds;
    },
  };
}

describe('work that goes on after a request', () => {
  it('is charged to the window of its caller, which refuses further requests', async () => {
    const { payments, request, pass } = await world(10);
    const first = request();
    expect(await first.spend(4)).toBeNull();
    payments.charge(first.client, 6);
    expect(await request().spend(1)).toMatchObject({ code: 'RATE_LIMITED' });
    pass(61);
    expect(await request().spend(1)).toBeNull();
  });

  it('ends when its caller has spent the limit and as much again, until the window has moved on', async () => {
    const { payments, request, pass } = await world(10);
    const { client } = request();
    expect(payments.isOverdrawn(client)).toBe(false);
    payments.charge(client, 19);
    expect(payments.isOverdrawn(client)).toBe(false);
    payments.charge(client, 1);
    expect(payments.isOverdrawn(client)).toBe(true);
    expect(payments.isOverdrawn('net:198.51.100.7')).toBe(false);
    pass(61);
    expect(payments.isOverdrawn(client)).toBe(false);
  });

  it('is charged to the limit of a key', async () => {
    const { payments, request } = await world(10);
    const keyed = request({ authorization: `Bearer ${text}` });
    payments.charge(keyed.client, 39);
    expect(payments.isOverdrawn(keyed.client)).toBe(false);
    expect(await keyed.spend(1)).toMatchObject({ code: 'RATE_LIMITED' });
    payments.charge(keyed.client, 1);
    expect(payments.isOverdrawn(keyed.client)).toBe(true);
    expect(payments.isOverdrawn(request().client)).toBe(false);
  });

  it('never ends without a limit, and ends with a key that was revoked', async () => {
    const unlimited = await world(0);
    unlimited.payments.charge(unlimited.request().client, 1_000_000);
    expect(unlimited.payments.isOverdrawn(unlimited.request().client)).toBe(false);
    const { payments } = await world(10, [{ ...key, revokedAt: new Date(1) }, free]);
    payments.charge(`key:${free.id}`, 1_000_000);
    payments.charge('', 1_000_000);
    expect([`key:${free.id}`, '', `key:${key.id}`].map((caller) => payments.isOverdrawn(caller))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
