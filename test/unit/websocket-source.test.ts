import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { AccountNotificationsApi, ProgramNotificationsApi, RpcSubscriptions } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { WebSocketSource } from '../../src/chain/sources/websocket.ts';
import { accountOf, keeperOver, slotInView, VAULTS } from '../support/rpc/test-view-keeper.ts';

type Subscriptions = RpcSubscriptions<ProgramNotificationsApi & AccountNotificationsApi>;
type Notification = { context: { slot: bigint }; value: unknown };

/** A subscription whose notifications the test sends. */
class Connection {
  readonly url: string;
  readonly #waiting: Notification[] = [];
  #wake: (() => void) | undefined;
  #broken = false;

  constructor(url: string) {
    this.url = url;
  }

  announce(vault: number, slot: bigint): void {
    const address = VAULTS[vault];
    const account = address === undefined ? null : accountOf(address, slot);
    if (account === null) throw new RangeError('no such vault');
    const data = [Buffer.from(account.data).toString('base64'), 'base64'];
    const { owner, lamports } = account;
    this.#waiting.push({ context: { slot }, value: { pubkey: address, account: { owner, lamports, data } } });
    this.#wake?.();
  }

  drop(): void {
    this.#broken = true;
    this.#wake?.();
  }

  async *notifications(signal: AbortSignal): AsyncGenerator<Notification> {
    signal.addEventListener('abort', () => this.drop());
    while (!this.#broken) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) yield next;
      if (this.#broken) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (!signal.aborted) throw new Error('the connection broke');
  }
}

const RARELY = 3_600_000;

function watching({
  refusals = 0,
  urls = ['ws://one', 'ws://two'],
  isReached = (_: bigint): boolean => true,
} = {}) {
  const chain = { slot: 100n };
  const connections: Connection[] = [];
  const attempted: string[] = [];
  const timer = new ManualClock();
  const connect = (url: string) =>
    ({
      programNotifications: () => ({
        subscribe: async ({ abortSignal }: { abortSignal: AbortSignal }) => {
          attempted.push(url);
          if (attempted.length <= refusals) throw new Error('refused');
          const connection = new Connection(url);
          connections.push(connection);
          return connection.notifications(abortSignal);
        },
      }),
    }) as unknown as Subscriptions;
  const source = new WebSocketSource({
    urls,
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    kinds: ['vault'],
    isReached: async (slot) => isReached(slot),
    timer,
    connect,
  });
  const setup = keeperOver({ slotOf: () => chain.slot, vaultRefreshMs: RARELY, sources: [source] });
  return { chain, ...setup, source, connections, attempted, timer };
}

describe('a WebSocket source', () => {
  it('puts announced vaults into the next View and ignores outdated ones', async () => {
    const { chain, keeper, source, connections } = watching();
    source.start(keeper);
    await until(() => source.connected);
    await keeper.read();
    chain.slot = 120n;
    connections[0]?.announce(0, 115n);
    connections[0]?.announce(1, 90n);
    connections[0]?.announce(0, 112n);
    await new Promise((resolve) => setImmediate(resolve));
    const view = await keeper.read();
    expect(VAULTS.map((address) => slotInView(view, address))).toEqual([115n, 100n, 100n]);
    await source.stop();
  });

  it('reconnects to another URL after a disconnect and reads the missed changes', async () => {
    const { chain, keeper, source, connections } = watching();
    source.start(keeper);
    await until(() => source.connected);
    await keeper.read();
    chain.slot = 130n;
    connections[0]?.drop();
    await until(() => connections.length === 2 && source.connected);
    expect(connections.map(({ url }) => url)).toEqual(['ws://one', 'ws://two']);
    expect(slotInView(await keeper.read(), VAULTS[2] ?? VAULTS[0] ?? ('' as never))).toBe(130n);
    await source.stop();
    expect(source.connected).toBe(false);
  });

  it('backs off after each refusal, and resets the backoff once connected', async () => {
    const { keeper, source, connections, attempted, timer } = watching({ refusals: 3 });
    source.start(keeper);
    await until(() => source.connected);
    expect(attempted).toEqual(['ws://one', 'ws://two', 'ws://one', 'ws://two']);
    expect(timer.slept).toEqual([500, 1_000, 2_000]);
    connections[0]?.drop();
    await until(() => connections.length === 2);
    expect(timer.slept.at(-1)).toBe(500);
    await source.stop();
  });

  it('leaves a connection whose slots are not believed, and backs off while they are not', async () => {
    const { chain, keeper, source, connections, timer } = watching({
      isReached: (slot) => slot < 1_000_000n,
    });
    source.start(keeper);
    await until(() => source.connected);
    await keeper.read();
    for (let i = 1; i <= 3; i += 1) {
      connections.at(-1)?.announce(0, 1_000_000n + chain.slot);
      await until(() => connections.length === i + 1 && source.connected);
    }
    expect(timer.slept).toEqual([500, 1_000, 2_000]);
    chain.slot = 120n;
    connections.at(-1)?.announce(0, 119n);
    await new Promise((resolve) => setImmediate(resolve));
    await keeper.read();
    chain.slot = 130n;
    connections.at(-1)?.announce(0, 125n);
    await new Promise((resolve) => setImmediate(resolve));
    const view = await keeper.read();
    expect(VAULTS.map((address) => slotInView(view, address))).toEqual([125n, 120n, 120n]);
    await source.stop();
  });

  it('does nothing without URLs', async () => {
    const { keeper, source, attempted } = watching({ urls: [] });
    source.start(keeper);
    await source.stop();
    expect(attempted).toEqual([]);
  });

  it('can be started again after it was stopped', async () => {
    const { chain, keeper, source, connections } = watching();
    for (const slot of [115n, 125n]) {
      source.start(keeper);
      await until(() => source.connected);
      chain.slot = slot - 5n;
      await keeper.read();
      connections.at(-1)?.announce(0, slot);
      await new Promise((resolve) => setImmediate(resolve));
      expect(slotInView(await keeper.read(), VAULTS[0] ?? ('' as never))).toBe(slot);
      await source.stop();
    }
    expect(connections).toHaveLength(2);
  });
});
