import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { isCodedError, SluiceError } from '../../src/errors/sluice-error.ts';
import type { ClientBudget, EventCost } from '../../src/live/client-budget.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';

let world: LiveApp;
const disconnect: (() => void)[] = [];

beforeAll(async () => {
  world = await testApp({ live: true });
});
afterEach(async () => {
  for (const each of disconnect.splice(0)) each();
  await until(() => world.app.live.streams === 0);
});
afterAll(() => world?.stop());

/** A payer with as much money as the test gives it. */
class TestBudget implements ClientBudget {
  readonly id: string;
  readonly paid: number[] = [];
  readonly charged: number[] = [];
  refused = 0;
  isRich = true;
  isValid = true;

  constructor(id: string) {
    this.id = id;
  }

  isAdmitted(): boolean {
    return this.isValid;
  }

  spend(units: number): boolean {
    if (this.isRich) this.paid.push(units);
    else this.refused += 1;
    return this.isRich;
  }

  charge(units: number): void {
    this.charged.push(units);
  }
}

const PRICE: EventCost = { check: 0, of: (events) => 7 * events };
const CHECKED: EventCost = { check: 2, of: (events) => 7 * events };

interface Opened {
  /** The next event's response. */
  next(): Promise<{ data?: unknown; extensions?: { slowed?: { skippedViews: number } } }>;
}

/** Opens a stream of one item that changes when the test says so. */
function openStream(payer: ClientBudget, { key, price = PRICE, source }: Options): Opened {
  const abort = new AbortController();
  disconnect.push(() => abort.abort());
  const { chain, live } = world.app;
  const body = live.open({
    payer,
    key,
    signal: abort.signal,
    onEnd: () => undefined,
    channel: () => ({
      price,
      watch: {
        isOver: () => false,
        snapshot: async ({ view }) => [
          { id: 'item', slot: view.moment.slot, reason: 'INITIAL', state: source.value },
        ],
        changes: async ({ view }) => {
          source.reads += 1;
          const { value } = source;
          if (value === source.sent) return { updates: [], commit: () => undefined };
          return {
            updates: [{ id: 'item', slot: view.moment.slot, reason: 'ACCOUNT', state: value }],
            commit() {
              source.sent = value;
            },
          };
        },
      },
      openSession: (signal, _, caller) => {
        source.callers.push(caller);
        return chain.openSession({ work: new WorkBudget({ signal, caller }) });
      },
      eventTimeoutMs: 120_000,
      execute: async ({ state }, { work }) => {
        source.executions += 1;
        work.draw('steps', source.steps);
        if (source.failure !== null) throw source.failure;
        return { json: JSON.stringify({ data: state }), extensions: { chain: {} } };
      },
      failure: (error) => ({
        json: JSON.stringify({ errors: [isCodedError(error) ? error.code : error] }),
        extensions: {},
      }),
    }),
  });
  const reader = body.getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const [, block, rest] = /^.*?data: ([^\n]+)\n\n(.*)$/s.exec(text) ?? [];
        if (block !== undefined) {
          text = rest ?? '';
          return JSON.parse(block);
        }
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream has ended: ${text}`);
        text += new TextDecoder().decode(value);
      }
    },
  };
}

interface Options {
  readonly key: string;
  readonly price?: EventCost;
  readonly source: Source;
}

interface Source {
  value: number;
  sent: number;
  reads: number;
  executions: number;
  /** Payers whose share of the gateway was used. */
  readonly callers: string[];
  /** Drawn by the execution of an event. */
  steps: number;
  /** Thrown by it afterwards; null for none. */
  failure: Error | null;
}

const newSource = (): Source => ({
  value: 0,
  sent: 0,
  reads: 0,
  executions: 0,
  callers: [],
  steps: 0,
  failure: null,
});

/** A new View in which the item has another value. */
async function change(source: Source): Promise<void> {
  source.value += 1;
  await world.advance();
}

describe('the payer of a stream', () => {
  it('pays for each event, and for none while nothing changes', async () => {
    const source = newSource();
    const payer = new TestBudget('a');
    const stream = openStream(payer, { key: 'events', source });
    await stream.next();
    expect(payer.paid).toEqual([]);
    await world.advance();
    await until(() => source.reads > 0);
    await change(source);
    expect(await stream.next()).toEqual({ data: 1, extensions: { chain: {} } });
    await change(source);
    await stream.next();
    expect(payer.paid).toEqual([7, 7]);
  });

  it('pays once for streams that share a channel; another payer pays too', async () => {
    const source = newSource();
    const [a, b] = [new TestBudget('a'), new TestBudget('b')];
    const streams = [a, a, a, b].map((payer) => openStream(payer, { key: 'shared', source }));
    for (const stream of streams) await stream.next();
    await change(source);
    for (const stream of streams) expect((await stream.next()).data).toBe(1);
    expect([a.paid, b.paid, source.executions]).toEqual([[7], [7], 2]);
  });

  it('that cannot pay causes no execution, and learns how many Views it skipped', async () => {
    const source = newSource();
    const payer = new TestBudget('a');
    const stream = openStream(payer, { key: 'skips', source });
    await stream.next();
    payer.isRich = false;
    for (let views = 1; views <= 3; views += 1) {
      const { refused } = payer;
      await change(source);
      await until(() => payer.refused > refused);
    }
    expect(source.executions).toBe(1);
    payer.isRich = true;
    await change(source);
    const slowed = await stream.next();
    expect(slowed.extensions).toMatchObject({ chain: {}, slowed: { skippedViews: payer.refused } });
    await change(source);
    for (let event = slowed; event.data !== 5; ) {
      event = await stream.next();
      expect(event.extensions).toEqual({ chain: {} });
    }
    expect(source.executions).toBe(1 + payer.paid.length);
  });

  it('that cannot pay causes no reads where these cost something', async () => {
    const source = newSource();
    const payer = new TestBudget('a');
    const stream = openStream(payer, { key: 'reads', price: CHECKED, source });
    await stream.next();
    payer.isRich = false;
    await change(source);
    await until(() => payer.refused > 0);
    expect([source.reads, source.executions]).toEqual([0, 1]);
    payer.isRich = true;
    await change(source);
    await stream.next();
    // The check and the event that it may find are paid together.
    expect(payer.paid[0]).toBe(9);
  });

  it('that cannot pay takes nothing from one that can, and catches up when nothing changes any more', async () => {
    const source = newSource();
    const [rich, poor] = [new TestBudget('rich'), new TestBudget('poor')];
    const [paid, unpaid] = [rich, poor].map((payer) => openStream(payer, { key: 'both', source }));
    await paid?.next();
    await unpaid?.next();
    poor.isRich = false;
    await change(source);
    expect((await paid?.next())?.data).toBe(1);
    await until(() => poor.refused > 0);
    poor.isRich = true;
    await world.advance();
    const late = await unpaid?.next();
    expect([late?.data, late?.extensions?.slowed?.skippedViews]).toEqual([1, poor.refused]);
    expect([rich.paid, poor.paid]).toEqual([[7], [7]]);
  });

  it('is charged for work beyond the price, which the next events cost in advance', async () => {
    const source = newSource();
    const [a, b] = [new TestBudget('a'), new TestBudget('b')];
    source.steps = 2_950;
    const streams = [a, b].map((payer) => openStream(payer, { key: 'work', source }));
    for (const stream of streams) await stream.next();
    // Opening paid 7, and the snapshot was executed for the first of them.
    expect([...a.charged, ...b.charged]).toEqual([23]);
    await change(source);
    for (const stream of streams) await stream.next();
    expect([a.paid, b.paid]).toEqual([[30], [30]]);
    source.steps = 9_950;
    await change(source);
    for (const stream of streams) await stream.next();
    expect([a.paid, b.paid]).toEqual([
      [30, 30],
      [30, 30],
    ]);
    await until(() => a.charged.length + b.charged.length === 3);
    expect([a.charged.at(-1), b.charged.at(-1)]).toEqual([70, 70]);
    source.steps = 0;
    await change(source);
    for (const stream of streams) await stream.next();
    expect(a.paid.at(-1)).toBe(100);
    await change(source);
    for (const stream of streams) await stream.next();
    expect(a.paid.at(-1)).toBe(7);
    expect(source.executions).toBe(5);
  });

  it('is charged for an event that fails, and pays for each further attempt at its snapshot', async () => {
    const source = newSource();
    const payer = new TestBudget('a');
    source.failure = new SluiceError('DEADLINE_EXCEEDED', { what: 'An event' });
    source.steps = 1_000;
    const stream = openStream(payer, { key: 'fails', source });
    await stream.next();
    await until(() => payer.charged.length === 1);
    expect([payer.charged, payer.paid]).toEqual([[3], []]);
    await change(source);
    await until(() => payer.charged.length > 1);
    expect(payer.paid[0]).toBe(7);
    payer.isRich = false;
    const { refused } = payer;
    await change(source);
    await until(() => payer.refused > refused);
    expect([source.executions, payer.charged]).toEqual([
      1 + payer.paid.length,
      [3, ...payer.paid.map(() => 3)],
    ]);
  });

  it('is the caller of the work: the one who joined, and of several the first that could pay', async () => {
    const source = newSource();
    const [a, b] = [new TestBudget('a'), new TestBudget('b')];
    const streams = [a, b].map((payer) => openStream(payer, { key: 'callers', source }));
    for (const stream of streams) await stream.next();
    await change(source);
    for (const stream of streams) await stream.next();
    a.isRich = false;
    await change(source);
    await streams[1]?.next();
    const { length } = source.callers;
    await change(source);
    await streams[1]?.next();
    const [one, another, third] = source.callers;
    expect([[one, another].sort(), third, source.callers[length]]).toEqual([['a', 'b'], 'a', 'b']);
  });
});
