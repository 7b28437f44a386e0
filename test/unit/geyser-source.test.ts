import { GeyserError, GrpcStatus } from '@sluice/geyser/errors';
import { obligation } from '@sluice/protocol/klend/obligation';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type Clock, systemClock } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { account, testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-page.ts';
import type { PositionAccount } from '../../src/chain/positions/position-kinds.ts';
import { GeyserSource, type StreamTiming } from '../../src/chain/sources/geyser/geyser-source.ts';
import type { StreamEvent } from '../../src/chain/sources/geyser/stream-events.ts';
import type { StreamFaultReason } from '../../src/chain/sources/geyser/stream-fault.ts';
import { FakeEndpoint, type FakeSubscription, slotUpdates } from '../support/geyser/fake-endpoint.ts';
import { accountOf, keeperOver, RESERVES, slotInView, VAULTS } from '../support/rpc/test-view-keeper.ts';

const RARELY = 3_600_000;
const [VAULT = VAULTS[0] as Address] = VAULTS;
const [RESERVE = RESERVES[0] as Address] = RESERVES;
const MARKET = testAddress(90);
const WALLET = testAddress(91);
const LOAN = testAddress(92);

let stopping: (() => Promise<void>) | undefined;

afterEach(async () => {
  await stopping?.();
  stopping = undefined;
});

interface Given {
  readonly timing?: Partial<StreamTiming>;
  readonly endpoints?: number;
  readonly onSubscribe?: (subscription: FakeSubscription) => void;
  readonly isReached?: (slot: bigint) => boolean;
  readonly added?: readonly PositionAccount[];
  /** What the RPC has, for comparisons. Absent: nothing. */
  readonly rpcHas?: (address: Address) => ChainAccount | null;
  readonly timer?: Clock;
}

function loan(slot: bigint, borrowed = 0n): PositionAccount {
  const data = obligation.encode({ owner: WALLET, lendingMarket: MARKET, tag: borrowed });
  return {
    kind: 'obligation',
    account: { address: LOAN, owner: MAINNET_PROGRAMS.klend, lamports: 1n, data, slot },
  };
}

/** A keeper whose RPC is at `chain.slot`, polled every 20 ms, with a stream that the test feeds. */
function streamed({
  timing = {},
  endpoints = 1,
  onSubscribe,
  isReached = () => true,
  added = [],
  rpcHas = () => null,
  timer = systemClock,
}: Given = {}) {
  const chain = { slot: 100n };
  const readAt = (address: Address) => {
    const account = rpcHas(address);
    return { account, page: { slot: account?.slot ?? 0n } };
  };
  const events: StreamEvent[] = [];
  const fakes = Array.from({ length: endpoints }, (_, i) => new FakeEndpoint(`geyser-${i + 1}`, onSubscribe));
  let source: GeyserSource | undefined;
  const setup = keeperOver({
    slotOf: () => chain.slot,
    vaultRefreshMs: RARELY,
    viewRefreshMs: 20,
    sources: (views) => {
      source = new GeyserSource({
        endpoints: fakes,
        programs: MAINNET_PROGRAMS,
        commitment: 'confirmed',
        views,
        scan: {
          async *all() {
            yield loan(chain.slot);
          },
          async *added() {
            yield* added;
          },
        },
        reader: { readMany: async (keys) => keys.map(({ address }) => readAt(address)) },
        isReached: async (slot) => isReached(slot),
        onEvent: (event) => events.push(event),
        timing: { stallMs: RARELY, firstPauseMs: 1, longestPauseMs: 5, ...timing },
        timer,
      });
      return [source];
    },
  });
  setup.keeper.start();
  stopping = () => setup.keeper.stop();
  return { ...setup, chain, events, endpoints: fakes, source: source as unknown as GeyserSource };
}

type Streamed = ReturnType<typeof streamed>;

/** The slots 100 and 101 have been delivered, and a View of the latter is served. */
async function following(given?: Given): Promise<Streamed & { readonly endpoint: FakeEndpoint }> {
  const setup = streamed(given);
  const [endpoint] = setup.endpoints;
  if (endpoint === undefined) throw new Error('no endpoint');
  await until(() => endpoint.subscriptions.length === 1);
  endpoint.current.slot(100n);
  await until(() => setup.source.state.status === 'streaming');
  // Then the RPC has been read at slot 100.
  await until(() => setup.store.newest?.moment.slotWhole === 100n);
  endpoint.current.slot(101n);
  await until(() => setup.store.newest?.moment.slot === 101n && setup.store.newest.positions !== null);
  return { ...setup, endpoint };
}

const changed = (address: Address, slot: bigint): Omit<ChainAccount, 'slot'> => {
  const { owner, data, lamports } = accountOf(address, slot) ?? account(new Uint8Array());
  return { address, owner, data, lamports };
};

const down = new GeyserError(GrpcStatus.UNAVAILABLE, 'down');

describe('a Geyser stream', () => {
  it('gives a View of each slot that changed something, of one slot and without an RPC call', async () => {
    const { endpoint, store, pages } = await following();
    pages.length = 0;
    endpoint.current.slot(102n, {
      accounts: [
        [changed(VAULT, 102n), 'vault'],
        [loan(102n, 7n).account, 'obligation'],
      ],
    });
    await until(() => store.newest?.moment.slot === 102n);
    const view = store.current();
    expect(view.moment).toMatchObject({
      slot: 102n,
      timestamp: 102n,
      slotMin: 102n,
      slotMax: 102n,
      slotWhole: 102n,
      torn: false,
    });
    expect([slotInView(view, VAULT), slotInView(view, RESERVE)]).toEqual([102n, 100n]);
    expect(view.positions?.account('obligation', LOAN)?.data).toEqual(loan(102n, 7n).account.data);
    expect(pages).toEqual([]);
  });

  it('reads everything at the first slot that it delivers, or later, before it serves Views', async () => {
    const { chain, endpoints, store, source } = streamed();
    await until(() => (endpoints[0]?.subscriptions.length ?? 0) === 1);
    chain.slot = 107n;
    endpoints[0]?.current.slot(105n, { parent: 104n });
    await until(() => source.state.status === 'loading');
    for (const slot of [106n, 107n, 108n]) endpoints[0]?.current.slot(slot);
    await until(() => store.newest?.moment.slot === 108n);
    expect(slotInView(store.current(), VAULT)).toBe(107n);
  });

  it('goes on where it ended, and replays what was missed', async () => {
    const { endpoint, store, pages, source } = await following();
    pages.length = 0;
    endpoint.current.fail(down);
    await until(() => endpoint.subscriptions.length === 2);
    expect(endpoint.current.requests[0]?.fromSlot).toBe(101n);
    expect(source.state).toMatchObject({ status: 'resuming', lastFault: 'DISCONNECTED' });
    endpoint.current.slot(101n);
    endpoint.current.slot(102n, { accounts: [[changed(VAULT, 102n), 'vault']] });
    await until(() => store.newest?.moment.slot === 102n);
    expect(slotInView(store.current(), VAULT)).toBe(102n);
    expect(store.current().positions).not.toBeNull();
    expect([source.state.reloads, pages]).toEqual([0, []]);
  });

  it.each([
    ['is too old for the server', new GeyserError(GrpcStatus.OUT_OF_RANGE, 'oldest is 500')],
    ['cannot be replayed', new GeyserError(GrpcStatus.INTERNAL, 'from_slot is not supported')],
  ])('loads everything again when what it missed %s', async (_, refusal) => {
    const { chain, endpoint, store, source, events } = await following();
    chain.slot = 500n;
    endpoint.current.fail(down);
    await until(() => endpoint.subscriptions.length === 2);
    endpoint.current.fail(refusal);
    await until(() => endpoint.subscriptions.length === 3);
    expect(endpoint.current.requests[0]?.fromSlot).toBeUndefined();
    await until(() => store.newest?.moment.slot === 500n);
    expect(store.current().positions).toBeNull();
    expect(slotInView(store.current(), VAULT)).toBe(500n);
    endpoint.current.slot(500n);
    await until(() => source.state.status === 'streaming');
    endpoint.current.slot(501n);
    await until(() => store.newest?.moment.slot === 501n);
    expect(source.state.reloads).toBe(1);
    expect(events.filter(({ type }) => type === 'LOST')).toEqual([{ type: 'LOST', reason: 'OUT_OF_RANGE' }]);
    // Bytes that have not changed keep the slot at which they were first seen.
    expect(store.current().positions?.account('obligation', LOAN)?.slot).toBe(100n);
  });

  it('that stalls is left for polling, and returned to', async () => {
    const { chain, endpoint, store, source, events } = await following({ timing: { stallMs: 300 } });
    chain.slot = 300n;
    await until(() => events.some(({ type }) => type === 'LOST'));
    await until(() => store.newest?.moment.slot === 300n);
    expect(store.current().positions).toBeNull();
    const feed = setInterval(() => {
      chain.slot += 1n;
      endpoint.current.slot(chain.slot);
    }, 5);
    await until(() => store.newest?.positions !== null && (store.newest?.moment.slot ?? 0n) > 300n);
    clearInterval(feed);
    expect(source.state.reloads).toBeGreaterThanOrEqual(1);
  });

  it('is not stalled because its process did not run', async () => {
    const stallMs = 240_000;
    let pausedMs = 0;
    let pauses = 0;
    const timer: Clock = {
      now: () => systemClock.now() + pausedMs,
      // The look at progress follows the pause before anything that arrived in it is read.
      sleep: async (ms, signal) => {
        await systemClock.sleep(ms === stallMs / 8 ? 5 : ms, signal);
        if (ms !== stallMs / 8 || pauses !== 1) return;
        pauses = 2;
        pausedMs = 10 * stallMs;
      },
    };
    const { endpoint, store, source, events } = await following({ timing: { stallMs }, timer });
    pauses = 1;
    await until(() => pauses === 2);
    endpoint.current.slot(102n, { accounts: [[changed(VAULT, 102n), 'vault']] });
    await until(() => store.newest?.moment.slot === 102n);
    expect(source.state).toMatchObject({ status: 'streaming', reloads: 0, lastFault: null });
    expect(events.filter(({ type }) => type === 'INTERRUPTED')).toEqual([]);
  });

  it('that never works leaves Views to polling', async () => {
    const failure = new GeyserError(GrpcStatus.INTERNAL, 'lagged');
    const { chain, endpoints, store, source } = streamed({
      onSubscribe: (subscription) => subscription.fail(failure),
    });
    await until(() => (endpoints[0]?.subscriptions.length ?? 0) > 5);
    chain.slot = 140n;
    await until(() => store.newest?.moment.slot === 140n);
    expect(source.state).toMatchObject({ status: 'disconnected', reloads: 0 });
  });

  const LIES: readonly (readonly [string, StreamFaultReason, (subscription: FakeSubscription) => void])[] = [
    [
      'sends an account of another program',
      'WRONG_ACCOUNT',
      (stream) =>
        stream.slot(102n, { accounts: [[{ ...changed(VAULT, 102n), owner: TOKEN_PROGRAM }, 'vault']] }),
    ],
    [
      'cuts an account',
      'WRONG_ACCOUNT',
      (stream) => {
        const whole = changed(VAULT, 102n);
        stream.slot(102n, { accounts: [[{ ...whole, data: whole.data.subarray(0, 500) }, 'vault']] });
      },
    ],
    [
      'cuts a loan',
      'WRONG_ACCOUNT',
      (stream) => {
        const whole = loan(102n).account;
        stream.slot(102n, { accounts: [[{ ...whole, data: whole.data.subarray(0, 500) }, 'obligation']] });
      },
    ],
    ['is at a slot that the chain has not reached', 'IMPLAUSIBLE_SLOT', (stream) => stream.slot(9_000n)],
    [
      'floods',
      'FLOOD',
      (stream) => {
        for (let slot = 200n; slot < 1_300n; slot += 1n) stream.slot(slot);
      },
    ],
  ];

  it.each(LIES)('that %s is left, and another endpoint is followed', async (_, reason, lie) => {
    const { chain, endpoint, endpoints, store, source, events } = await following({
      endpoints: 2,
      isReached: (slot) => slot < 2_000n,
    });
    chain.slot = 110n;
    lie(endpoint.current);
    await until(() => (endpoints[1]?.subscriptions.length ?? 0) === 1);
    expect(events).toContainEqual({ type: 'LOST', reason });
    await until(() => store.newest?.moment.slot === 110n);
    expect(slotInView(store.current(), VAULT)).toBe(110n);
    endpoints[1]?.current.slot(110n);
    await until(() => source.state.status === 'streaming');
    endpoints[1]?.current.slot(111n);
    await until(() => store.newest?.moment.slot === 111n);
    expect([endpoint.subscriptions.length, source.state.endpoint]).toEqual([1, 'geyser-2']);
  });

  describe('compared with the RPC', () => {
    const timing = { checkMs: 5 };
    const outcomes = ({ events }: Streamed) =>
      events.flatMap((event) => (event.type === 'CHECKED' ? [event.outcome] : []));
    const sendVault = (endpoint: FakeEndpoint, slot: bigint) =>
      endpoint.current.slot(slot, { accounts: [[changed(VAULT, slot), 'vault']] });
    const vaultAt = (slot: bigint, content: bigint) => ({ ...changed(VAULT, content), address: VAULT, slot });

    it('is left when a vault in a View of the same slot has other bytes', async () => {
      const has: { vault: ChainAccount | null } = { vault: null };
      const rpcHas = (address: Address) => (address === VAULT ? has.vault : null);
      const setup = await following({ endpoints: 2, timing, rpcHas });
      const { chain, endpoint, endpoints, store, source, events } = setup;
      sendVault(endpoint, 102n);
      await until(() => store.newest?.moment.slot === 102n);
      chain.slot = 110n;
      has.vault = vaultAt(102n, 77n);
      await until(() => (endpoints[1]?.subscriptions.length ?? 0) === 1);
      expect(events).toContainEqual({ type: 'LOST', reason: 'CONTRADICTS_RPC' });
      await until(() => store.newest?.moment.slot === 110n);
      expect(slotInView(store.current(), VAULT)).toBe(110n);
      expect(store.current().positions).toBeNull();
      expect(source.state.reloads).toBe(1);
    });

    it('is left when a loan has other bytes', async () => {
      const other = loan(101n, 5n).account;
      const { events } = await following({
        timing: { ...timing, checkMs: 100 },
        rpcHas: (address) => (address === LOAN ? other : null),
      });
      await until(() => events.some(({ type }) => type === 'LOST'));
      expect(events).toContainEqual({ type: 'LOST', reason: 'CONTRADICTS_RPC' });
    });

    it.each([
      ['has an older answer', () => vaultAt(101n, 77n)],
      ['has the same bytes', () => vaultAt(102n, 102n)],
      ['no longer has the account, which may be closed', () => null],
    ])('is followed when the RPC %s', async (_, vault) => {
      const has: { vault: () => ChainAccount | null } = { vault: () => null };
      const rpcHas = (address: Address) => (address === VAULT ? has.vault() : null);
      const setup = await following({ timing, rpcHas });
      const { chain, endpoint, store, source } = setup;
      chain.slot = 102n;
      sendVault(endpoint, 102n);
      await until(() => store.newest?.moment.slot === 102n);
      has.vault = vault;
      const before = outcomes(setup).length;
      await until(() => outcomes(setup).length >= before + 3);
      expect(new Set(outcomes(setup))).toEqual(new Set(['agreed']));
      expect(source.state.status).toBe('streaming');
    });

    it('is followed when the RPC contradicts it once', async () => {
      let isWrong = false;
      const rpcHas = (address: Address) => {
        if (address !== VAULT || !isWrong) return null;
        isWrong = false;
        return vaultAt(102n, 77n);
      };
      const setup = await following({ timing, rpcHas });
      setup.chain.slot = 102n;
      sendVault(setup.endpoint, 102n);
      await until(() => setup.store.newest?.moment.slot === 102n);
      isWrong = true;
      await until(() => !isWrong);
      const before = outcomes(setup).length;
      await until(() => outcomes(setup).length >= before + 2);
      expect(new Set(outcomes(setup))).toEqual(new Set(['agreed']));
    });
  });

  it('on another fork after a reconnect makes everything be loaded again', async () => {
    const { chain, endpoint, store, source } = await following();
    chain.slot = 110n;
    endpoint.current.fail(down);
    await until(() => endpoint.subscriptions.length === 2);
    endpoint.current.slot(101n, { node: 'b', accounts: [[changed(VAULT, 99n), 'vault']] });
    await until(() => store.newest?.moment.slot === 110n);
    expect(slotInView(store.current(), VAULT)).toBe(110n);
    expect(source.state).toMatchObject({ reloads: 1, lastFault: 'EQUIVOCATION' });
  });

  it.each([
    ['of which some remain', 100n],
    ['of which none remains', 50n],
  ])('is followed from the beginning after Views were discarded %s', async (_, slot) => {
    const { chain, endpoint, keeper, store, source } = await following();
    chain.slot = 102n;
    keeper.discardAfter(slot);
    await until(() => endpoint.subscriptions.length === 2);
    expect(endpoint.current.requests[0]?.fromSlot).toBeUndefined();
    endpoint.current.slot(102n);
    await until(() => source.state.status === 'streaming');
    endpoint.current.slot(103n, { accounts: [[loan(103n, 9n).account, 'obligation']] });
    await until(() => store.newest?.moment.slot === 103n);
    expect(store.current().positions?.account('obligation', LOAN)?.data).toEqual(loan(103n, 9n).account.data);
    expect(source.state).toMatchObject({ reloads: 1, lastFault: 'VIEWS_DISCARDED' });
  });

  it('drops the changes of a slot that dies', async () => {
    const { endpoint, store } = await following();
    const updates = (slot: bigint) => ({ accounts: [[changed(VAULT, slot), 'vault']] as const });
    endpoint.current.send(...slotUpdates(102n, updates(102n)).slice(0, -1));
    endpoint.current.slot(103n, { parent: 101n, accounts: [[changed(RESERVE, 103n), 'reserve']] });
    await until(() => store.newest?.moment.slot === 103n);
    expect([slotInView(store.current(), VAULT), slotInView(store.current(), RESERVE)]).toEqual([100n, 103n]);
  });

  it('closes accounts', async () => {
    const { endpoint, store, pages } = await following();
    pages.length = 0;
    const gone = { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array() };
    // Owner and data may be left.
    const empty = { ...changed(VAULT, 102n), lamports: 0n };
    endpoint.current.slot(102n, {
      accounts: [
        [empty, 'vault'],
        [{ ...gone, address: LOAN }, 'closed'],
      ],
    });
    await until(() => store.newest?.moment.slot === 102n);
    expect([...store.current().all('vault').keys()].sort()).toEqual([...VAULTS.slice(1)].sort());
    expect(store.current().unreadable('vault').size).toBe(0);
    expect(store.current().positions?.account('obligation', LOAN)).toBeNull();
    expect(pages).toEqual([]);
  });

  it('subscribes to the shares of a new vault, and loads them', async () => {
    const [vault, sharesMint] = [testAddress(70), testAddress(71)];
    const data = new Uint8Array(165);
    data.set(addressBytes(sharesMint));
    data[108] = 1;
    const held = { address: testAddress(72), owner: TOKEN_PROGRAM, lamports: 1n, data, slot: 102n };
    const { chain, endpoint, store } = await following({ added: [{ kind: 'tokenAccount', account: held }] });
    const created = vaultState.encode({ sharesMint });
    const opened = { address: vault, owner: MAINNET_PROGRAMS.kvault, lamports: 1n, data: created };
    chain.slot = 102n;
    endpoint.current.slot(102n, { accounts: [[opened, 'vault']] });
    await until(() => endpoint.current.requests.length === 2);
    expect([...(endpoint.current.requests[1]?.accounts?.keys() ?? [])]).toContain(`shares:${sharesMint}`);
    chain.slot = 104n;
    endpoint.current.slot(103n);
    endpoint.current.slot(104n);
    await until(() => store.newest?.positions?.account('tokenAccount', held.address) != null);
  });
});
