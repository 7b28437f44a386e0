import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressNumber, NOW, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import {
  BorrowOrderBench,
  COLLATERAL,
  DEBT,
  FILLER,
  NO_TERMS,
  type OrderArgs,
  UNTIL,
} from '../support/localnet/borrow-order-bench.ts';

/** Borrow orders: encoding, the program's checks in its order, and what it stores and records. */

const { klend } = MAINNET_PROGRAMS;
const EMPTY = '00'.repeat(160);
const U64_MAX = (1n << 64n) - 1n;

const hex = (bytes: ArrayLike<number>) => Buffer.from(Uint8Array.from(bytes)).toString('hex');
const little = (value: bigint | number, size: number) =>
  BigInt(value)
    .toString(16)
    .padStart(size * 2, '0')
    .match(/../g)
    ?.toReversed()
    .join('') ?? '';
const key = (address: Address) => hex(addressBytes(address));

const placed = (terms: Partial<OrderArgs> = {}, index = 0, bench = new BorrowOrderBench()) => {
  expect(bench.failureOf([bench.setting(terms, index)])).toBeNull();
  return bench;
};

const set = (terms: Partial<OrderArgs>, bench = new BorrowOrderBench(), index = 0, minExpected = 0n) =>
  bench.failureOf([bench.setting(terms, index, minExpected)]);

/** The events that the transaction records, as hex without tag. */
function eventsOf(bench: BorrowOrderBench, instructions: readonly EncodedInstruction[]): string[] {
  const { failure, inner } = bench.run(instructions);
  expect(failure).toBeNull();
  return inner
    .flat()
    .filter(({ instruction }) => instruction.programAddress === klend)
    .map(({ instruction }) => hex(instruction.data).slice(16));
}

/** The 160 bytes of an order, written out. */
function bytesOf(
  bench: BorrowOrderBench,
  order: Partial<OrderArgs> & {
    readonly requested?: bigint;
    readonly placedAt?: bigint;
    readonly updatedAt?: bigint;
  },
): string {
  return [
    key(bench.reserve(DEBT).liquidity.mintPubkey),
    little(order.remainingDebtAmount ?? 100_000_000n, 8),
    key(bench.tokensOf(DEBT)),
    little(order.minDebtTermSeconds ?? 0n, 8),
    little(order.fillableUntilTimestamp ?? UNTIL, 8),
    little(order.placedAt ?? NOW.timestamp, 8),
    little(order.updatedAt ?? NOW.timestamp, 8),
    little(order.requested ?? 100_000_000n, 8),
    little(order.maxBorrowRateBps ?? 5_000, 4),
    '01',
    order.enableAutoRolloverOnFilledBorrows ? '01' : '00',
    '0000',
    '00'.repeat(40),
  ].join('');
}

describe('the encoding', () => {
  it('of an order has index, terms and the expected rest', () => {
    const bench = new BorrowOrderBench();
    const terms = { minDebtTermSeconds: 86_400n, enableAutoRolloverOnFilledBorrows: true };
    const encoded = bench.setting(terms, 2, 77n);
    const fields = [
      little(100_000_000n, 8),
      little(5_000, 4),
      little(86_400n, 8),
      little(UNTIL, 8),
      '01',
      little(77n, 8),
    ].join('');
    expect(hex(encoded.data)).toBe(`57ff1e049ce6a77e02${fields}`);
    expect(hex(bench.setting(terms, null, 77n).data)).toBe(`b1ba2d3deb5b448b${fields}`);
    expect(encoded.accounts.map(({ role }) => role)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('of a fill has the index only', () => {
    const bench = new BorrowOrderBench();
    const [v2, v1] = [bench.filling(1), bench.filling(null)].map((all) => all.at(-1));
    expect([v2, v1].map((each) => hex(each?.data ?? []))).toEqual(['c555c18b285ec28f01', '6604a74c83aa5d13']);
    expect(v2?.accounts.map(({ role }) => role)).toEqual([2, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('setBorrowOrder', () => {
  it('places, changes and cancels each of the three orders, records it, and leaves all else', () => {
    const bench = new BorrowOrderBench();
    const untouched = bench.account(bench.obligationAddress).data;
    for (const index of [0, 1, 2]) {
      const before = [0, 1, 2].map((each) => bench.orderBytes(each));
      const first = bytesOf(bench, {});
      expect(eventsOf(bench, [bench.setting({}, index)])).toEqual([`2bd3d0ba5ee3dac6${first}`]);
      expect(bench.orderBytes(index)).toBe(first);
      bench.clock = { ...bench.clock, unixTimestamp: NOW.timestamp + 9n };
      const terms = { maxBorrowRateBps: 9_999, enableAutoRolloverOnFilledBorrows: true };
      const second = bytesOf(bench, { ...terms, updatedAt: NOW.timestamp + 9n });
      expect(eventsOf(bench, [bench.setting(terms, index)])).toEqual([`1521438330b85a40${first}${second}`]);
      expect(bench.orderBytes(index)).toBe(second);
      expect(eventsOf(bench, [bench.setting(NO_TERMS, index)])).toEqual([`58e4e7e6eaf84590${second}`]);
      expect([0, 1, 2].map((each) => bench.orderBytes(each))).toEqual(before);
      expect(eventsOf(bench, [bench.setting(NO_TERMS, index)])).toEqual([]);
      bench.clock = { ...bench.clock, unixTimestamp: NOW.timestamp };
    }
    expect(bench.account(bench.obligationAddress).data).toEqual(untouched);
  });

  it('notes a new amount as requested, and keeps it otherwise', () => {
    const bench = placed();
    expect(set({ remainingDebtAmount: 70_000_000n }, bench)).toBeNull();
    expect(bench.orderBytes()).toBe(
      bytesOf(bench, { remainingDebtAmount: 70_000_000n, requested: 70_000_000n }),
    );
    expect(set({ remainingDebtAmount: 70_000_000n, maxBorrowRateBps: 1 }, bench)).toBeNull();
    expect(bench.order().requestedDebtAmount).toBe(70_000_000n);
  });

  it('of the first version acts on order 0', () => {
    const bench = new BorrowOrderBench();
    expect(bench.failureOf([bench.setting({}, null)])).toBeNull();
    expect([0, 1, 2].map((each) => bench.orderBytes(each))).toEqual([bytesOf(bench, {}), EMPTY, EMPTY]);
  });

  it('6123: a fourth order, also to cancel it', () => {
    expect([2, 3, 255].map((index) => set({}, new BorrowOrderBench(), index))).toEqual([null, 6123, 6123]);
    expect(set(NO_TERMS, new BorrowOrderBench(), 3)).toBe(6123);
  });

  it('6143: less left than expected, also of an expired order', () => {
    const bench = placed();
    expect(set({}, bench, 0, 100_000_001n)).toBe(6143);
    expect(set(NO_TERMS, bench, 0, 100_000_001n)).toBe(6143);
    expect(set({}, bench, 1, 1n)).toBe(6143);
    bench.clock = { ...bench.clock, unixTimestamp: UNTIL + 1n };
    const later = { fillableUntilTimestamp: UNTIL + 1n };
    expect(set(later, bench, 0, 100_000_001n)).toBe(6143);
    expect(set(later, bench, 0, 100_000_000n)).toBeNull();
    expect(bench.order().placedAtTimestamp).toBe(UNTIL + 1n);
  });

  it('6124: no rate, no amount, or a time in the past', () => {
    expect(set({ maxBorrowRateBps: 0 })).toBe(6124);
    expect(set({ remainingDebtAmount: 0n })).toBe(6124);
    expect(set({ fillableUntilTimestamp: NOW.timestamp - 1n })).toBe(6124);
    expect(set({ fillableUntilTimestamp: NOW.timestamp })).toBeNull();
    expect(set({ fillableUntilTimestamp: U64_MAX, maxBorrowRateBps: 0xff_ff_ff_ff })).toBeNull();
  });

  it('6153: less than the minimum at the stored price of the reserve', () => {
    expect(set({ remainingDebtAmount: 2_000_000n })).toBeNull();
    expect(set({ remainingDebtAmount: 1_999_999n })).toBe(6153);
    const bench = new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, { priceUsd: 2n }] });
    expect(set({ remainingDebtAmount: 1_000_000n }, bench)).toBeNull();
    expect(set({ remainingDebtAmount: 999_999n }, bench)).toBe(6153);
  });

  it('6128: a new order where they are switched off, but no change or cancellation', () => {
    const bench = placed();
    bench.changeMarket({ borrowOrderCreationEnabled: 0 });
    expect(set({}, bench, 1)).toBe(6128);
    expect(set({ maxBorrowRateBps: 1 }, bench)).toBeNull();
    bench.clock = { ...bench.clock, unixTimestamp: UNTIL + 1n };
    expect(set({ fillableUntilTimestamp: U64_MAX }, bench)).toBe(6128);
    expect(set(NO_TERMS, bench)).toBeNull();
  });

  it('6140: another token or another destination', () => {
    const bench = placed({}, 0, new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, {}, {}] }));
    bench.openTokens(2);
    expect(bench.failureOf([bench.setting({}, 0, 0n, {}, 2)])).toBe(6140);
    const other = addressNumber(70);
    bench.setBalance(other, bench.reserve(DEBT).liquidity.mintPubkey, WALLET, 0n);
    expect(bench.failureOf([bench.setting({}, 0, 0n, { filledDebtDestination: other })])).toBe(6140);
    expect(bench.failureOf([bench.setting(NO_TERMS, 0, 0n, { filledDebtDestination: other })])).toBeNull();
  });

  it('refuses accounts of others', () => {
    const bench = new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, {}, {}] });
    const stranger = addressNumber(71);
    const { mintPubkey } = bench.reserve(DEBT).liquidity;
    bench.setBalance(stranger, mintPubkey, FILLER, 0n);
    const withAccounts = (change: Readonly<Record<string, Address>>) =>
      bench.failureOf([bench.setting({}, 0, 0n, change)]);
    expect(withAccounts({ owner: FILLER })).toBe(2001);
    expect(withAccounts({ filledDebtDestination: stranger })).toBe(2015);
    expect(withAccounts({ reserve: reserveAddress(2) })).toBe(2012);
    expect(withAccounts({ eventAuthority: stranger })).toBe(2006);
    expect(withAccounts({ filledDebtDestination: bench.openTokens(2) })).toBe(2014);
  });

  it('checks emergency, rest, terms, value, creation and token in this order', () => {
    const bench = placed();
    bench.changeMarket({ borrowOrderCreationEnabled: 0 });
    const wrong = { maxBorrowRateBps: 0, remainingDebtAmount: 1n };
    expect(set(wrong, bench, 1, 1n)).toBe(6143);
    expect(set(wrong, bench, 1)).toBe(6124);
    expect(set({ remainingDebtAmount: 1n }, bench, 1)).toBe(6153);
    expect(set({}, bench, 1)).toBe(6128);
    bench.changeMarket({ emergencyMode: 1 });
    expect(set(wrong, bench, 1, 1n)).toBe(6042);
  });
});

describe('fillBorrowOrder', () => {
  it('pays all of it to the owner, by anyone, records it and clears the order', () => {
    const bench = placed({}, 2);
    const order = bench.orderBytes(2);
    expect(eventsOf(bench, bench.filling(2))).toEqual([`b1f1edfa8f140eb7${order}`]);
    expect(bench.balance(bench.tokensOf(DEBT))).toBe(100_000_000n);
    expect(bench.orderBytes(2)).toBe(EMPTY);
    expect(bench.obligation().borrows[0]).toMatchObject({
      borrowReserve: reserveAddress(DEBT),
      borrowedAmountSf: 100_000_000n << 60n,
      lastBorrowedAtTimestamp: NOW.timestamp,
    });
  });

  it('pays a part where liquidity, the borrow limit or collateral allow no more', () => {
    const cases: readonly (readonly [string, (bench: BorrowOrderBench) => void, bigint])[] = [
      ['liquidity', (bench) => drain(bench, 40_000_000n), 40_000_000n],
      [
        'borrow limit',
        (bench) => bench.changeReserve(DEBT, { config: { borrowLimit: 400_000_000_000n + 30_000_000n } }),
        30_000_000n,
      ],
      ['collateral', (bench) => bench.changeMarket({ globalAllowedBorrowValue: 20n }), 20_000_000n],
    ];
    for (const [name, limit, filled] of cases) {
      const bench = placed();
      const before = bench.orderBytes();
      limit(bench);
      const rest = 100_000_000n - filled;
      const after = bytesOf(bench, { remainingDebtAmount: rest });
      expect(eventsOf(bench, bench.filling()), name).toEqual([`7151fcc198186354${before}${after}`]);
      expect(bench.orderBytes(), name).toBe(after);
      expect(bench.balance(bench.tokensOf(DEBT)), name).toBe(filled);
    }
  });

  it('adds the fee of the reserve to the debt, and takes it from a part', () => {
    const fees = { originationFeeSf: 1n << 53n };
    const whole = placed();
    whole.changeReserve(DEBT, { config: { fees } });
    expect(whole.failureOf(whole.filling())).toBeNull();
    // 1/128 of 100 dollars.
    expect(whole.obligation().borrows[0]?.borrowedAmountSf).toBe(100_781_250n << 60n);
    const part = placed();
    part.changeReserve(DEBT, { config: { fees } });
    drain(part, 64_500_000n);
    expect(part.failureOf(part.filling())).toBeNull();
    // 64.5 = 64 + 64 / 128.
    expect(part.balance(part.tokensOf(DEBT))).toBe(64_000_000n);
    expect(part.order().remainingDebtAmount).toBe(36_000_000n);
  });

  it('of the first version fills order 0', () => {
    const bench = placed();
    expect(bench.failureOf(bench.filling(null))).toBeNull();
    expect(bench.orderBytes()).toBe(EMPTY);
  });

  it('6123 and 6135: no such order, or one for another token', () => {
    const bench = placed({}, 0, new BorrowOrderBench({ ...COLLATERAL, reserves: [{}, {}, {}] }));
    expect(bench.failureOf(bench.filling(3))).toBe(6123);
    expect(bench.failureOf(bench.filling(1))).toBe(6135);
    bench.openTokens(2);
    expect(bench.failureOf(bench.filling(0, {}, 2))).toBe(6135);
  });

  it('2012 and 2015: another account of the owner, or one of somebody else', () => {
    const bench = placed();
    const { mintPubkey } = bench.reserve(DEBT).liquidity;
    const [own, foreign] = [addressNumber(72), addressNumber(73)];
    bench.setBalance(own, mintPubkey, WALLET, 0n);
    bench.setBalance(foreign, mintPubkey, FILLER, 0n);
    expect(bench.failureOf(bench.filling(0, { userDestinationLiquidity: own }))).toBe(2012);
    expect(bench.failureOf(bench.filling(0, { userDestinationLiquidity: foreign }))).toBe(2015);
  });

  it('6141, 6136 and 6137: what market and reserve must allow, in this order', () => {
    const bench = placed({ maxBorrowRateBps: 4_999 });
    bench.changeReserve(DEBT, { config: { debtTermSeconds: 100n } });
    bench.changeMarket({ borrowOrderExecutionEnabled: 0 });
    expect(bench.failureOf(bench.filling())).toBe(6141);
    bench.changeMarket({ borrowOrderExecutionEnabled: 1 });
    expect(bench.failureOf(bench.filling())).toBe(6136);
    expect(set({}, bench)).toBeNull();
    expect(bench.failureOf(bench.filling())).toBe(6137);
    expect(bench.orderBytes()).not.toBe(EMPTY);
  });

  it('6137: an order without a minimum takes no debt that ends, others one that ends late enough', () => {
    const fill = (minDebtTermSeconds: bigint, debtTermSeconds: bigint, matures: bigint) => {
      const bench = placed({ minDebtTermSeconds });
      const debtMaturityTimestamp = matures === 0n ? 0n : NOW.timestamp + matures;
      bench.changeReserve(DEBT, { config: { debtTermSeconds, debtMaturityTimestamp } });
      return bench.failureOf(bench.filling());
    };
    expect([fill(0n, 0n, 0n), fill(0n, 1n, 0n), fill(0n, 0n, 9n)]).toEqual([null, 6137, 6137]);
    expect([fill(50n, 0n, 0n), fill(50n, 50n, 0n), fill(50n, 49n, 0n)]).toEqual([null, null, 6137]);
    expect([fill(50n, 0n, 50n), fill(50n, 0n, 49n), fill(50n, 99n, 49n)]).toEqual([null, 6137, 6137]);
  });

  it('6144 and 6153: too small a part, and too small a rest', () => {
    const tiny = placed();
    drain(tiny, 1_999_999n);
    expect(tiny.failureOf(tiny.filling())).toBe(6144);
    const most = placed();
    drain(most, 98_000_001n);
    expect(most.failureOf(most.filling())).toBe(6153);
    const enough = placed();
    drain(enough, 98_000_000n);
    expect(enough.failureOf(enough.filling())).toBeNull();
    expect(enough.order().remainingDebtAmount).toBe(2_000_000n);
    const whole = placed({ remainingDebtAmount: 2_000_000n });
    whole.changeMarket({ minBorrowOrderFillValue: 50n });
    expect(whole.failureOf(whole.filling())).toBeNull();
  });

  it('is refused for the reasons of any borrow', () => {
    const bench = placed();
    drain(bench, 0n);
    expect(bench.failureOf(bench.filling())).toBe(6012);
    const without = placed({}, 0, new BorrowOrderBench({ ...COLLATERAL, market: { borrowDisabled: 1 } }));
    expect(without.failureOf(without.filling())).toBe(6088);
  });

  it('expires: every refresh of the obligation removes the order', () => {
    const bench = placed();
    expect(set({ fillableUntilTimestamp: UNTIL + 5n }, bench, 2)).toBeNull();
    bench.changeReserve(0, { config: { tokenInfo: { maxAgePriceSeconds: 10_000n } } });
    bench.changeReserve(DEBT, { config: { tokenInfo: { maxAgePriceSeconds: 10_000n } } });
    bench.clock = { slot: bench.clock.slot + 1n, unixTimestamp: UNTIL };
    expect(bench.failureOf(bench.filling().slice(0, -1))).toBeNull();
    expect(bench.orderBytes()).not.toBe(EMPTY);
    bench.clock = { slot: bench.clock.slot + 1n, unixTimestamp: UNTIL + 1n };
    expect(bench.failureOf(bench.filling())).toBe(6135);
    expect(bench.failureOf(bench.filling().slice(0, -1))).toBeNull();
    expect([0, 2].map((index) => bench.orderBytes(index) === EMPTY)).toEqual([true, false]);
  });
});

describe('auto-rollover', () => {
  const ROLLED = { enableAutoRolloverOnFilledBorrows: true };
  const config = (bench: BorrowOrderBench) => {
    const own = bench.obligation().borrows[0]?.fixedTermBorrowRolloverConfig;
    return own && { ...plain(own) };
  };

  it('gives a new debt the terms of the order', () => {
    const open = placed(ROLLED);
    expect(open.failureOf(open.filling())).toBeNull();
    expect(config(open)).toEqual({ enabled: 1, open: 1, fixed: 0, days: 0, rate: 5_000, term: 0n });
    const fixed = placed({ ...ROLLED, minDebtTermSeconds: 60n });
    fixed.changeReserve(DEBT, { config: { debtTermSeconds: 90n } });
    expect(fixed.failureOf(fixed.filling())).toBeNull();
    expect(config(fixed)).toEqual({ enabled: 1, open: 1, fixed: 1, days: 0, rate: 5_000, term: 60n });
  });

  it('6157 and 6167: a market without it, and a debt with other terms', () => {
    const off = placed(ROLLED);
    off.changeMarket({ obligationBorrowRolloverConfigurationEnabled: 0 });
    expect(off.failureOf(off.filling())).toBe(6157);
    const other = placed(ROLLED, 0, new BorrowOrderBench({ ...COLLATERAL, borrows: [[DEBT, 5_000_000n]] }));
    expect(other.failureOf(other.filling())).toBe(6167);
  });

  it('adds to a debt with the same terms, whatever its window', () => {
    const bench = placed(ROLLED);
    drain(bench, 40_000_000n);
    expect(bench.failureOf(bench.filling())).toBeNull();
    drain(bench, 60_000_000n);
    expect(bench.failureOf(bench.filling())).toBeNull();
    expect(bench.orderBytes()).toBe(EMPTY);
  });
});

/** Leaves so much liquidity in the reserve. */
function drain(bench: BorrowOrderBench, available: bigint): void {
  const { mintPubkey, supplyVault } = bench.reserve(DEBT).liquidity;
  const owner = bench.accounts.marketAuthority;
  bench.changeReserve(DEBT, { liquidity: { totalAvailableAmount: available } });
  bench.setBalance(supplyVault, mintPubkey, owner, available);
}

const plain = (own: {
  readonly autoRolloverEnabled: number;
  readonly openTermAllowed: number;
  readonly migrationToFixedEnabled: number;
  readonly fixedTermRolloverWindowDurationDays: number;
  readonly maxBorrowRateBps: number;
  readonly minDebtTermSeconds: bigint;
}) => ({
  enabled: own.autoRolloverEnabled,
  open: own.openTermAllowed,
  fixed: own.migrationToFixedEnabled,
  days: own.fixedTermRolloverWindowDurationDays,
  rate: own.maxBorrowRateBps,
  term: own.minDebtTermSeconds,
});
