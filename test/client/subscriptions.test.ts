import { createClient, graphql, type StreamState } from '@sluice/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  COMPLETE,
  events,
  failure,
  html,
  next,
  type ScriptedGateway,
  startScriptedGateway,
} from '../../packages/client/test/support/scripted-gateway.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { startTcpProxy } from '../support/client/tcp-proxy.ts';

const SLOTS = graphql('subscription Slots { slot { slot } }');
const VAULTS = graphql(`
  subscription Vaults($addresses: [Address!]!) { vaults(addresses: $addresses) { slot reason } }
`);

const QUICK = { firstDelayMs: 5, maxDelayMs: 20 };

describe('over a gateway', () => {
  let live: LiveApp;
  beforeAll(async () => {
    live = await testApp({ live: true });
  });
  afterAll(() => live?.stop());

  const iterate = (
    url: string,
    options: { silenceMs?: number; onState?: (state: StreamState) => void } = {},
  ) => {
    const { silenceMs = 30_000, ...rest } = options;
    const stop = new AbortController();
    const stream = createClient({ url, retry: QUICK, silenceMs }).subscribe(
      SLOTS,
      {},
      { signal: stop.signal, ...rest },
    );
    return { stop, events: stream[Symbol.asyncIterator]() };
  };
  const slotOf = ({ value, done }: IteratorResult<{ readonly data: { readonly slot: { slot: string } } }>) =>
    done ? null : BigInt(value.data.slot.slot);

  it('has an event for each View, and ends when it is aborted', async () => {
    const { stop, events } = iterate(live.site.origin);
    expect(slotOf(await events.next())).toBe(live.localChain.slot);
    await live.advance();
    expect(slotOf(await events.next())).toBe(live.localChain.slot);
    const third = events.next();
    stop.abort();
    expect((await third).done).toBe(true);
  });

  it('closes the connection when the loop ends', async () => {
    const stream = createClient({ url: live.site.origin }).subscribe(SLOTS, {});
    for await (const { data } of stream) {
      expect(data.slot.slot).toBe(String(live.localChain.slot));
      expect(await live.metric('sluice_streams_open')).toBe(1);
      break;
    }
    await expect.poll(() => live.metric('sluice_streams_open'), { timeout: 60_000 }).toBe(0);
  });

  it('reconnects after a cut, as often as it takes, with the newest state', async () => {
    const proxy = await startTcpProxy(live.site.origin);
    try {
      const states: string[] = [];
      const { stop, events } = iterate(proxy.url, { onState: ({ status }) => states.push(status) });
      await events.next();
      expect(states).toEqual(['connecting', 'open']);
      proxy.cut();
      const pending = events.next();
      await expect.poll(() => proxy.connections(), { timeout: 60_000 }).toBeGreaterThan(4);
      await live.advance();
      proxy.restore();
      expect(slotOf(await pending)).toBe(live.localChain.slot);
      expect(states.slice(2, 5)).toEqual(['broken', 'connecting', 'broken']);
      expect(states.slice(-2)).toEqual(['connecting', 'open']);
      stop.abort();
      await events.next();
    } finally {
      await proxy.close();
    }
  });

  it('reconnects when a connection goes silent', async () => {
    const proxy = await startTcpProxy(live.site.origin);
    try {
      const { stop, events } = iterate(proxy.url, { silenceMs: 500 });
      await events.next();
      proxy.silence();
      await live.advance();
      expect(slotOf(await events.next())).toBe(live.localChain.slot);
      expect(proxy.connections()).toBeGreaterThan(1);
      stop.abort();
      await events.next();
    } finally {
      await proxy.close();
    }
  });

  it('throws the error of a subscription that is refused, without a retry', async () => {
    const proxy = await startTcpProxy(live.site.origin);
    try {
      const stream = createClient({ url: proxy.url, retry: QUICK }).subscribe(VAULTS, { addresses: ['x'] });
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'ADDRESS_INVALID' });
      expect(proxy.connections()).toBe(1);
    } finally {
      await proxy.close();
    }
  });
});

describe('over a server that misbehaves', () => {
  let server: ScriptedGateway;
  beforeAll(async () => {
    server = await startScriptedGateway();
  });
  afterAll(() => server?.close());

  const slot = (number: number) => next({ data: { slot: { slot: String(number) } } });
  const error = (code: string, retryable: boolean) =>
    next({ data: null, errors: [{ message: `It is ${code}.`, extensions: { code, retryable } }] });
  /** Slots until the stream completes, and the states of its connection. */
  async function follow() {
    const slots: string[] = [];
    const states: string[] = [];
    const onState = (state: StreamState) =>
      void states.push(state.status === 'broken' ? state.error.code : state.status);
    const client = createClient({ url: server.url, retry: QUICK });
    for await (const { data } of client.subscribe(SLOTS, {}, { onState })) slots.push(data.slot.slot);
    return { slots, states, connections: server.requests.length };
  }

  it('ends with `complete`', async () => {
    server.reply(events(slot(1) + slot(2) + COMPLETE, 'open'));
    expect(await follow()).toEqual({ slots: ['1', '2'], states: ['connecting', 'open'], connections: 1 });
  });

  it.each(['end', 'break'] as const)('reconnects when the stream %ss right after an event', async (how) => {
    server.reply(events(slot(1), how), events(slot(2), how), events(COMPLETE, 'open'));
    const { slots, connections } = await follow();
    expect([slots, connections]).toEqual([['1', '2'], 3]);
  });

  it('reconnects when a stream ends before its first event', async () => {
    server.reply(events('', 'end'), html(502), events(slot(1) + COMPLETE, 'open'));
    expect(await follow()).toEqual({
      slots: ['1'],
      states: ['connecting', 'open', 'NETWORK', 'connecting', 'BAD_ANSWER', 'connecting', 'open'],
      connections: 3,
    });
  });

  it('goes on after an event without data that a retry may solve', async () => {
    server.reply(events(slot(1) + error('RPC_UNAVAILABLE', true) + slot(2) + COMPLETE, 'open'));
    expect(await follow()).toEqual({
      slots: ['1', '2'],
      states: ['connecting', 'open', 'RPC_UNAVAILABLE', 'open'],
      connections: 1,
    });
  });

  it.each([
    [
      'a key that is revoked',
      events(slot(1) + error('UNAUTHENTICATED', false) + COMPLETE, 'end'),
      'UNAUTHENTICATED',
    ],
    ['an unknown key', failure('UNAUTHENTICATED', { retryable: false }, 401), 'UNAUTHENTICATED'],
    ['a page of a proxy', html(403), 'BAD_ANSWER'],
    ['a page instead of a stream', html(200), 'BAD_ANSWER'],
  ])('throws after %s, without a retry', async (_, reply, code) => {
    server.reply(reply);
    await expect(follow()).rejects.toMatchObject({ code, retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it('tries again when there are too many streams', async () => {
    server.reply(
      failure('TOO_MANY_STREAMS', { retryable: true, retryAfter: 0 }, 429),
      events(slot(1) + COMPLETE, 'end'),
    );
    expect((await follow()).slots).toEqual(['1']);
  });
});
