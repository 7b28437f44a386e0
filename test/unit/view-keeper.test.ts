import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { fakeRpc } from '../../packages/rpc-pool/test/support/fake-rpc.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import type { AccountSource } from '../../src/chain/view/account-source.ts';
import { measureSlotDuration } from '../../src/chain/view/discovery.ts';
import type { Kind } from '../../src/chain/view/kinds.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { announced, keeperOver, RESERVES, slotInView, VAULTS } from '../support/rpc/test-view-keeper.ts';

const RARELY = 3_600_000;
const [VAULT = VAULTS[0] as Address] = VAULTS;
const [RESERVE = RESERVES[0] as Address] = RESERVES;

/** A source that is connected when the test says so. */
class TestSource implements AccountSource {
  readonly kinds: readonly Kind[];
  connected = false;

  constructor(...kinds: Kind[]) {
    this.kinds = kinds;
  }

  start(): void {}

  async stop(): Promise<void> {}
}

/** A keeper over a chain whose slot the test advances. Vaults are read once and then too rarely to matter. */
function rareKeeper(...sources: AccountSource[]) {
  const chain = { slot: 100n };
  return { chain, ...keeperOver({ slotOf: () => chain.slot, vaultRefreshMs: RARELY, sources }) };
}

describe('between two full reads', () => {
  it('reserves are read every time and vaults are not, and slotWhole is that of the vaults', async () => {
    const { chain, keeper } = rareKeeper();
    const first = await keeper.read();
    chain.slot = 110n;
    const second = await keeper.read();
    expect(first.moment).toMatchObject({ slot: 100n, slotWhole: 100n });
    expect(second.moment).toMatchObject({ slot: 110n, slotWhole: 100n });
    expect(slotInView(second, RESERVE)).toBe(110n);
    expect(slotInView(second, VAULT)).toBe(100n);
  });

  it('an announced vault is in the next View, and an older announcement is ignored', async () => {
    const { chain, keeper } = rareKeeper();
    await keeper.read();
    chain.slot = 110n;
    keeper.announce('vault', announced(VAULT, 108n));
    keeper.announce('vault', announced(VAULT, 103n));
    expect(slotInView(await keeper.read(), VAULT)).toBe(108n);
    keeper.announce('vault', announced(VAULT, 105n));
    expect(slotInView(await keeper.read(), VAULT)).toBe(108n);
  });

  it('everything is read once when announcements begin, to catch earlier changes', async () => {
    const source = new TestSource('vault');
    const { chain, keeper } = rareKeeper(source);
    await keeper.read();
    chain.slot = 110n;
    source.connected = true;
    keeper.connectionChanged();
    expect((await keeper.read()).moment.slotWhole).toBe(110n);
    chain.slot = 120n;
    keeper.connectionChanged();
    expect((await keeper.read()).moment.slotWhole).toBe(110n);
  });

  it('everything is read once more when announcements begin during a full read', async () => {
    const chain = { slot: 100n };
    const source = new TestSource('vault');
    const { keeper } = keeperOver({
      slotOf: () => {
        source.connected = true;
        keeper.connectionChanged();
        return chain.slot;
      },
      vaultRefreshMs: RARELY,
      sources: [source],
    });
    await keeper.read();
    chain.slot = 110n;
    expect(slotInView(await keeper.read(), VAULT)).toBe(110n);
  });

  it('kinds that a connected source announces are not polled, and the time of the chain still is', async () => {
    const source = new TestSource('vault', 'reserve', 'oracle');
    const chain = { slot: 100n };
    const { keeper, pages } = keeperOver({ slotOf: () => chain.slot, sources: [source] });
    source.connected = true;
    keeper.connectionChanged();
    await keeper.read();
    await keeper.read(undefined, 'whole');
    pages.length = 0;
    chain.slot = 110n;
    keeper.announce('reserve', announced(RESERVE, 108n));
    const view = await keeper.read(undefined, 'reserves');
    expect([view.moment.slot, slotInView(view, RESERVE), slotInView(view, VAULT)]).toEqual([
      110n,
      108n,
      100n,
    ]);
    // Discovered links are read as before, announced kinds are not.
    expect(pages.flat().filter((address) => [...RESERVES, ...VAULTS].includes(address))).toEqual([]);
    source.connected = false;
    keeper.connectionChanged();
    chain.slot = 120n;
    const polled = await keeper.read(undefined, 'reserves');
    expect(slotInView(polled, RESERVE)).toBe(120n);
  });

  it('refreshAllNow makes the next refresh read everything', async () => {
    const { chain, keeper } = rareKeeper();
    await keeper.read();
    chain.slot = 110n;
    keeper.refreshAllNow();
    expect(slotInView(await keeper.read(), VAULT)).toBe(110n);
  });
});

it('does not move back in slot or time when an RPC returns an older clock', async () => {
  const chain = { slot: 100n, clockLag: 0 };
  const { keeper } = keeperOver({ slotOf: () => chain.slot, clockLag: () => chain.clockLag });
  await keeper.read();
  Object.assign(chain, { slot: 101n, clockLag: 30 });
  expect((await keeper.read()).moment).toMatchObject({ slot: 100n, timestamp: 100n });
});

describe('a slot that was a lie', () => {
  it('is left behind: nothing read at it remains, and honest slots are read again', async () => {
    const { chain, keeper, store } = rareKeeper();
    await keeper.read();
    chain.slot = 1_000_100n;
    keeper.refreshAllNow();
    const lie = await keeper.read();
    keeper.announce('vault', announced(VAULT, 1_000_100n));
    chain.slot = 105n;
    keeper.discardAfter(104n);
    expect(store.current().moment.slot).toBe(100n);
    expect(store.find(lie.moment.id)).toBeUndefined();
    const next = await keeper.read();
    expect(next.moment).toMatchObject({ slot: 105n, slotWhole: 105n, number: 3 });
    expect([VAULT, RESERVE].map((address) => slotInView(next, address))).toEqual([105n, 105n]);
  });

  it('is not published by a refresh that was under way', async () => {
    const chain = { slot: 100n };
    let interrupt: (() => void) | undefined;
    const { keeper, store } = keeperOver({
      slotOf: () => chain.slot,
      answering: async () => {
        interrupt?.();
        interrupt = undefined;
      },
    });
    await keeper.read();
    chain.slot = 1_000_100n;
    interrupt = () => {
      chain.slot = 105n;
      keeper.discardAfter(104n);
    };
    const view = await keeper.read();
    expect(view.moment.slot).toBe(105n);
    expect(store.current()).toBe(view);
  });

  it('is reviewed when the endpoints do not reach it', async () => {
    const chain = { slot: 1_000_100n };
    let reviews = 0;
    const { keeper, store } = keeperOver({
      slotOf: () => chain.slot,
      onBehind: async () => {
        reviews += 1;
        keeper.discardAfter(chain.slot);
      },
    });
    keeper.start();
    await until(() => store.newest !== undefined);
    chain.slot = 100n;
    await until(() => store.newest?.moment.slot === 100n);
    expect(reviews).toBe(1);
    await keeper.stop();
  });
});

it('reads a vault that a notification says is gone', async () => {
  const { chain, keeper } = rareKeeper();
  await keeper.read();
  chain.slot = 110n;
  keeper.announce('vault', { ...announced(VAULT, 109n), data: new Uint8Array() });
  expect(slotInView(await keeper.read(), VAULT)).toBe(110n);
});

it('skips its timer when hurried, before and during a refresh', async () => {
  const chain = { slot: 100n };
  const { keeper, store } = keeperOver({ slotOf: () => chain.slot, viewRefreshMs: 600_000 });
  const next = () => new Promise((resolve) => store.onView(resolve));
  keeper.start();
  const first = next();
  keeper.refreshNow();
  await first;
  await next();
  // The ten-minute timer is running by now.
  await new Promise((resolve) => setImmediate(resolve));
  const third = next();
  keeper.refreshNow();
  await third;
  expect(store.current().moment.number).toBe(3);
  // The timer is not running yet; stopping must not wait for it either.
  await keeper.stop();
});

describe('the measured slot duration', () => {
  const signal = new AbortController().signal;
  const measured = async (answer: () => unknown) =>
    await measureSlotDuration(fakeRpc(answer), signal).then(
      (duration) => duration && String(duration.floor()),
    );

  it('is the median of the usable samples', async () => {
    const sample = { numSlots: 150n, samplePeriodSecs: 60, slot: 1n, numTransactions: 1n };
    const withSlots = (...slots: readonly bigint[]) => slots.map((numSlots) => ({ ...sample, numSlots }));
    // Minutes with 100, 120, 150 and 10 slots: 600, 500, 400 and 6,000 ms.
    expect(await measured(() => withSlots(100n, 120n, 150n))).toBe('500');
    expect(await measured(() => withSlots(100n, 10n, 120n, 150n))).toBe('550');
    expect(await measured(() => [...withSlots(0n, 120n), { ...sample, samplePeriodSecs: 0 }])).toBe('500');
  });

  it('is unknown when the RPC has no samples', async () => {
    expect(await measured(() => [])).toBeNull();
    expect(await measured(() => null)).toBeNull();
    const refused = new SluiceError('RPC_REFUSED', { method: 'm', rpcCode: -32601, rpcMessage: '' });
    expect(
      await measured(() => {
        throw refused;
      }),
    ).toBeNull();
  });

  it('is not assumed when the RPC fails', async () => {
    const failed = new SluiceError('RPC_UNAVAILABLE', { method: 'm', attempts: 1 });
    await expect(
      measured(() => {
        throw failed;
      }),
    ).rejects.toBe(failed);
  });
});

describe('discovery', () => {
  it('keeps the known accounts when it suddenly finds none', async () => {
    const chain = { slot: 100n, lost: false };
    const { keeper } = keeperOver({
      slotOf: () => chain.slot,
      findsNothing: () => chain.lost,
      discoveryIntervalMs: 0,
    });
    const before = await keeper.read();
    chain.lost = true;
    chain.slot = 110n;
    const after = await keeper.read();
    expect([...after.all('vault').keys()]).toEqual([...before.all('vault').keys()]);
    expect(slotInView(after, RESERVE)).toBe(110n);
  });
});

describe('the scans that find accounts', () => {
  const never = new AbortController().signal;

  it('are not repeated while the endpoints cannot be read', async () => {
    let scans = 0;
    let isDown = false;
    const { keeper } = keeperOver({
      slotOf() {
        if (isDown) throw new SluiceError('RPC_UNAVAILABLE', { method: 'getMultipleAccounts', attempts: 1 });
        return 100n;
      },
      discoveryIntervalMs: 0,
      findsNothing() {
        scans += 1;
        return false;
      },
    });
    expect(await keeper.refresh(never)).toBe(true);
    isDown = true;
    expect(await keeper.refresh(never)).toBe(false);
    const before = scans;
    for (let i = 0; i < 5; i += 1) expect(await keeper.refresh(never)).toBe(false);
    expect(scans).toBe(before);
    isDown = false;
    expect(await keeper.refresh(never)).toBe(true);
    expect(scans).toBeGreaterThan(before);
  });

  it('are not repeated when reading stops and begins again', async () => {
    let scans = 0;
    const { keeper, store } = keeperOver({
      slotOf: () => 100n,
      findsNothing() {
        scans += 1;
        return false;
      },
    });
    keeper.start();
    await until(() => store.newest !== undefined);
    await keeper.stop();
    const [before, served] = [scans, store.newest];
    keeper.start();
    await until(() => store.newest !== served);
    await keeper.stop();
    expect([scans, store.newest?.all('vault').size]).toEqual([before, VAULTS.length]);
  });
});
