import type { AccountNotificationsApi, ProgramNotificationsApi, RpcSubscriptions } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { Watcher } from '../../src/chain/watcher.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { ManualClock } from '../support/rpc/scripted-rpc.ts';
import { until } from '../support/rpc/test-pools.ts';
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
  const setup = keeperOver({ slotOf: () => chain.slot, vaultRefreshMs: RARELY });
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
  const watcher = new Watcher({
    urls,
    programs: MAINNET_PROGRAMS,
    commitment: 'confirmed',
    keeper: setup.keeper,
    isReached: async (slot) => isReached(slot),
    timer,
    connect,
  });
  return { chain, ...setup, watcher, connections, attempted, timer };
}

describe('a watcher', () => {
  it('puts announced vaults into the next View and ignores outdated ones', async () => {
    const { chain, keeper, watcher, connections } = watching();
    watcher.start();
    await until(() => watcher.connected);
    await keeper.refresh();
    chain.slot = 120n;
    connections[0]?.announce(0, 115n);
    connections[0]?.announce(1, 90n);
    connections[0]?.announce(0, 112n);
    await new Promise((resolve) => setImmediate(resolve));
    const view = await keeper.refresh();
    expect(VAULTS.map((address) => slotInView(view, address))).toEqual([115n, 100n, 100n]);
    await watcher.stop();
  });

  it('reconnects to another URL after a disconnect and reads the missed changes', async () => {
    const { chain, keeper, watcher, connections } = watching();
    watcher.start();
    await until(() => watcher.connected);
    await keeper.refresh();
    chain.slot = 130n;
    connections[0]?.drop();
    await until(() => connections.length === 2 && watcher.connected);
    expect(connections.map(({ url }) => url)).toEqual(['ws://one', 'ws://two']);
    expect(slotInView(await keeper.refresh(), VAULTS[2] ?? VAULTS[0] ?? ('' as never))).toBe(130n);
    await watcher.stop();
    expect(watcher.connected).toBe(false);
  });

  it('backs off after each refusal, and resets the backoff once connected', async () => {
    const { watcher, connections, attempted, timer } = watching({ refusals: 3 });
    watcher.start();
    await until(() => watcher.connected);
    expect(attempted).toEqual(['ws://one', 'ws://two', 'ws://one', 'ws://two']);
    expect(timer.slept).toEqual([500, 1_000, 2_000]);
    connections[0]?.drop();
    await until(() => connections.length === 2);
    expect(timer.slept.at(-1)).toBe(500);
    await watcher.stop();
  });

  it('leaves a connection whose slots are not believed, and backs off while they are not', async () => {
    const { chain, keeper, watcher, connections, timer } = watching({
      isReached: (slot) => slot < 1_000_000n,
    });
    watcher.start();
    await until(() => watcher.connected);
    await keeper.refresh();
    for (let i = 1; i <= 3; i += 1) {
      connections.at(-1)?.announce(0, 1_000_000n + chain.slot);
      await until(() => connections.length === i + 1 && watcher.connected);
    }
    expect(timer.slept).toEqual([500, 1_000, 2_000]);
    chain.slot = 120n;
    connections.at(-1)?.announce(0, 119n);
    await new Promise((resolve) => setImmediate(resolve));
    await keeper.refresh();
    chain.slot = 130n;
    connections.at(-1)?.announce(0, 125n);
    await new Promise((resolve) => setImmediate(resolve));
    const view = await keeper.refresh();
    expect(VAULTS.map((address) => slotInView(view, address))).toEqual([125n, 120n, 120n]);
    await watcher.stop();
  });

  it('does nothing without URLs', async () => {
    const { watcher, attempted } = watching({ urls: [] });
    watcher.start();
    await watcher.stop();
    expect(attempted).toEqual([]);
  });
});
