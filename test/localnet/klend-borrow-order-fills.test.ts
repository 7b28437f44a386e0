import { describe, expect, it } from 'vitest';
import { addressNumber, NOW, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { BorrowOrderBench, COLLATERAL, DEBT, FILLER, UNTIL } from '../support/localnet/borrow-order-bench.ts';
import { bytesOf, EMPTY, eventsOf, placed, set } from '../support/localnet/placed-orders.ts';

/** Fills of borrow orders, and the rollover that orders ask for. */

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
