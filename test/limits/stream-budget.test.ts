import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { eventPrice } from '../../src/graphql/cost/event-price.ts';
import { type ApiKey, makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyRing } from '../../src/limits/keys/key-ring.ts';
import { MemoryWindow } from '../../src/limits/memory-window.ts';
import { streamBudget } from '../../src/limits/stream-budget.ts';
import { Account } from '../../src/live/account.ts';
import type { EventCost } from '../../src/live/client-budget.ts';
import { LimitMetrics } from '../../src/telemetry/limit-metrics.ts';

function world(stored: () => readonly ApiKey[] = () => []) {
  let now = 1_000;
  const window = new MemoryWindow({ now: () => now });
  const store = {
    all: async () => stored(),
    add: async () => undefined,
    revoke: async () => false,
    close: async () => undefined,
  };
  const keys = new KeyRing(store, () => undefined);
  const options = { window, keys, metrics: new LimitMetrics(new Registry()) };
  return {
    window,
    keys,
    options,
    pass(seconds: number) {
      now += seconds;
    },
  };
}

describe('the payer of a stream', () => {
  it('leaves a fifth of the limit to requests, which share the window', async () => {
    const { window, options, pass } = world();
    const payer = streamBudget(options, 'net:a', 100, null);
    expect(await payer.spend(79)).toBe(true);
    expect(await payer.spend(2)).toBe(false);
    expect(await payer.spend(1)).toBe(true);
    expect(window.spend({ id: 'net:a', limit: 100 }, 20).admitted).toBe(true);
    expect(window.spend({ id: 'net:a', limit: 100 }, 1).admitted).toBe(false);
    pass(61);
    expect(await payer.spend(80)).toBe(true);
  });

  it('can pay for an event that costs more than its limit when it has spent nothing', async () => {
    const { options } = world();
    const payer = streamBudget(options, 'net:a', 100, null);
    expect(await payer.spend(1_000)).toBe(true);
    expect(await payer.spend(1)).toBe(false);
  });

  it('is charged for work beyond its limit, and pays for nothing until the window has moved on', async () => {
    const { options, pass } = world();
    const payer = streamBudget(options, 'net:a', 100, null);
    expect(await payer.spend(10)).toBe(true);
    payer.charge(300);
    expect(await payer.spend(1)).toBe(false);
    pass(61);
    expect(await payer.spend(80)).toBe(true);
  });

  it('pays anything without a limit', async () => {
    const payer = streamBudget(world().options, 'net:a', 0, null);
    expect(await payer.spend(1_000_000)).toBe(true);
  });

  it('is not admitted any more once its key is revoked', async () => {
    const { key } = makeKey({ name: 'page', limit: 0, origins: [] }, new Date(0));
    let stored = [key];
    const { keys, options } = world(() => stored);
    await keys.load();
    const payer = streamBudget(options, 'key:a', 0, key);
    expect(payer.isAdmitted()).toBe(true);
    let reads = 0;
    keys.onRead(() => {
      reads += 1;
    });
    stored = [{ ...key, revokedAt: new Date(0) }];
    await keys.load();
    expect([payer.isAdmitted(), reads]).toEqual([false, 1]);
  });
});

describe('the price of events', () => {
  it('is the share of the changed items, and what the check costs is not paid twice', () => {
    // Reading costs 10 for each of the two obligations, and each of their events 120.
    const price = eventPrice('obligations', 2, 260);
    expect([price.check, price.of(1), price.of(2)]).toEqual([1, 1, 2]);
  });

  it('is at least one unit, and checking the View alone is free', () => {
    const price = eventPrice('slot', 1, 1);
    expect([price.check, price.of(1)]).toEqual([0, 1]);
  });
});

describe('an account that cannot pay for all events', () => {
  /** Events sent in ten minutes with a View every two seconds, and the most spent in any minute. */
  async function tenMinutes(limit: number, price: EventCost, changed: number) {
    const { options, window, pass } = world();
    const account = new Account(streamBudget(options, 'net:a', limit, null));
    let events = 0;
    let mostSpent = 0;
    for (let view = 0; view < 300; view += 1) {
      if (await account.payForCheck(price)) {
        if (await account.payForEvents(price, changed)) events += 1;
      }
      const { remaining } = window.spend({ id: 'net:a', limit: 1_000_000 }, 0);
      mostSpent = Math.max(mostSpent, 1_000_000 - remaining);
      pass(2);
    }
    return { events, mostSpent };
  }

  it('gets fewer events, not none, although looking for them costs too', async () => {
    // A check costs 5 and its event 25 more; the limit pays for two of them a minute.
    const price: EventCost = { check: 5, of: (events) => 25 * events };
    const { events, mostSpent } = await tenMinutes(100, price, 1);
    expect(events).toBeGreaterThanOrEqual(18);
    expect(events).toBeLessThanOrEqual(22);
    expect(mostSpent).toBeLessThanOrEqual(80);
  });

  it('saves up for a View with many events', async () => {
    const price: EventCost = { check: 1, of: (events) => 3 * events };
    const { events, mostSpent } = await tenMinutes(100, price, 50);
    expect(events).toBeGreaterThanOrEqual(8);
    expect(mostSpent).toBeLessThanOrEqual(80);
  });
});
