import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { ingestPacer } from '../../src/ingest/chain-source.ts';
import { ReadSlots } from '../../src/ingest/read-slots.ts';
import { FOLLOWER, type Reader, requestBy } from '../../src/ingest/reader.ts';
import { Subscribers } from '../../src/ingest/subscribers.ts';

const NEVER = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('RPC calls of ingestion', () => {
  it('are shared by the follower and requests, and among requests by their callers', async () => {
    const clock = new ManualClock();
    const pacer = ingestPacer(100, clock);
    const order: string[] = [];
    const call = async (name: string, reader: Reader) => {
      await pacer.turn(reader, NEVER);
      order.push(name);
    };
    await call('first', FOLLOWER);
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => call(name, requestBy('a'))),
      ...['b1', 'b2'].map((name) => call(name, requestBy('b'))),
      ...['f1', 'f2', 'f3'].map((name) => call(name, FOLLOWER)),
    ]);
    expect(order).toEqual(['first', 'a1', 'f1', 'b1', 'f2', 'a2', 'f3', 'b2', 'a3', 'a4']);
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(9 * 10);
  });

  it('take no turn for a reader that has given up', async () => {
    const clock = new ManualClock();
    const pacer = ingestPacer(100, clock);
    await pacer.turn(FOLLOWER, NEVER);
    const gone = new AbortController();
    const turns = Array.from({ length: 50 }, () => pacer.turn(requestBy('a'), gone.signal));
    gone.abort(new Error('gone'));
    const outcomes = await Promise.allSettled(turns);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    const before = clock.nowMs;
    await pacer.turn(requestBy('b'), NEVER);
    expect(clock.nowMs - before).toBeLessThanOrEqual(10);
  });

  it('are not made up for after a long stall', async () => {
    let nowMs = 0;
    const slept: number[] = [];
    const clock = {
      now: () => nowMs,
      sleep: (ms: number) => {
        slept.push(ms);
        // The process stalls for a minute during the first sleep.
        nowMs += slept.length === 1 ? 60_000 : ms;
        return Promise.resolve();
      },
    };
    const pacer = ingestPacer(100, clock);
    await Promise.all(Array.from({ length: 40 }, () => pacer.turn(FOLLOWER, NEVER)));
    // Eleven calls of the last tenth of a second are due at once; the others wait.
    expect(slept.length).toBeGreaterThanOrEqual(27);
  });
});

describe('slots', () => {
  const held = async (slots: ReadSlots, readers: readonly Reader[], signal = NEVER) => {
    const got: string[] = [];
    const waits = readers.map(async (reader) => {
      const slot = await slots.hold(reader, signal);
      got.push(reader.caller || 'follower');
      return slot;
    });
    await settle();
    return { got, waits };
  };

  it('leave room for the other lane', async () => {
    const slots = new ReadSlots({ total: 6, perLane: 4, perCaller: 4 });
    const requests = await held(slots, Array<Reader>(9).fill(requestBy('a')));
    expect(requests.got).toHaveLength(4);
    const follower = await held(slots, Array<Reader>(3).fill(FOLLOWER));
    expect(follower.got).toHaveLength(2);
    for (const wait of requests.waits.slice(0, 2)) (await wait).release();
    await settle();
    // The lanes take turns.
    expect([requests.got.length, follower.got.length]).toEqual([5, 3]);
  });

  it('go to the callers in turn', async () => {
    const slots = new ReadSlots({ total: 1, perLane: 1, perCaller: 1 });
    const [a, b, c] = [requestBy('a'), requestBy('b'), requestBy('c')];
    const { got, waits } = await held(slots, [a, a, a, b, a, c, b]);
    for (const wait of waits) void wait.then((slot) => slot.release());
    await Promise.all(waits);
    expect(got).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('leave room for other callers', async () => {
    const slots = new ReadSlots({ total: 6, perLane: 4, perCaller: 2 });
    const greedy = await held(slots, Array<Reader>(9).fill(requestBy('a')));
    const other = await held(slots, [requestBy('b')]);
    const follower = await held(slots, Array<Reader>(3).fill(FOLLOWER));
    expect([greedy.got.length, other.got.length, follower.got.length]).toEqual([2, 1, 3]);
    for (const wait of greedy.waits.slice(0, 2)) (await wait).release();
    await settle();
    expect(greedy.got).toHaveLength(4);
  });

  it('are yielded only to somebody who waits', async () => {
    const slots = new ReadSlots({ total: 1, perLane: 1, perCaller: 1 });
    const first = await slots.hold(requestBy('a'), NEVER);
    await first.yield(requestBy('a'), NEVER);
    let hasYielded = false;
    const second = slots.hold(requestBy('b'), NEVER);
    const yielded = first.yield(requestBy('a'), NEVER).then(() => {
      hasYielded = true;
    });
    const slot = await second;
    await settle();
    expect(hasYielded).toBe(false);
    slot.release();
    await yielded;
    expect(hasYielded).toBe(true);
  });

  it('are not lost with readers that give up', async () => {
    const slots = new ReadSlots({ total: 1, perLane: 1, perCaller: 1 });
    const first = await slots.hold(requestBy('a'), NEVER);
    const gone = new AbortController();
    const waiting = slots.hold(requestBy('b'), gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    first.release();
    first.release();
    const [one, two] = [slots.hold(FOLLOWER, NEVER), slots.hold(FOLLOWER, gone.signal)];
    expect(await one).toBeDefined();
    await expect(two).rejects.toThrow('gone');
  });
});

describe('subscribers', () => {
  it('lasts while somebody waits, and for a while after an answer', () => {
    const clock = new ManualClock();
    let gone = 0;
    const subscribers = new Subscribers('a', clock, () => {
      gone += 1;
    });
    const [a, b] = [subscribers.subscribe('a'), subscribers.subscribe('b')];
    a(false);
    expect([subscribers.hasPayingSubscriber, subscribers.caller, gone]).toEqual([true, 'b', 0]);
    b(true);
    clock.nowMs += 29_999;
    expect([subscribers.hasPayingSubscriber, subscribers.caller, gone]).toEqual([true, 'b', 0]);
    clock.nowMs += 1;
    expect(subscribers.hasPayingSubscriber).toBe(false);
    subscribers.subscribe('c')(false);
    expect(gone).toBe(1);
  });

  it('ends at once when the only caller leaves', () => {
    let gone = 0;
    const subscribers = new Subscribers('a', new ManualClock(), () => {
      gone += 1;
    });
    const leave = subscribers.subscribe('a');
    leave(false);
    leave(false);
    expect([subscribers.hasPayingSubscriber, gone]).toEqual([false, 1]);
  });

  it('is charged to a caller that can pay, and ends when none can', () => {
    const overdrawn = new Set<string>();
    const subscribers = new Subscribers(
      'a',
      new ManualClock(),
      () => undefined,
      (caller) => overdrawn.has(caller),
    );
    subscribers.subscribe('a');
    const leave = subscribers.subscribe('b');
    expect(subscribers.caller).toBe('a');
    overdrawn.add('a');
    expect([subscribers.hasPayingSubscriber, subscribers.caller]).toEqual([true, 'b']);
    leave(true);
    expect([subscribers.hasPayingSubscriber, subscribers.caller]).toEqual([true, 'b']);
    overdrawn.add('b');
    expect(subscribers.hasPayingSubscriber).toBe(false);
  });
});
