import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressNumber, NOW, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import {
  BorrowOrderBench,
  COLLATERAL,
  DEBT,
  FILLER,
  NO_TERMS,
  UNTIL,
} from '../support/localnet/borrow-order-bench.ts';
import { bytesOf, EMPTY, eventsOf, hex, little, placed, set } from '../support/localnet/placed-orders.ts';

/** Borrow orders: encoding, the program's checks in its order, and what it stores and records. */

const U64_MAX = (1n << 64n) - 1n;

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
