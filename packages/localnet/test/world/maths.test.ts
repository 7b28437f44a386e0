import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { isOffCurveAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { Prices } from '../../src/world/prices.ts';
import { curveRateSf } from '../../src/world/program-maths.ts';
import { GENESIS_SLOT, slotAt, startOf, timeOf } from '../../src/world/time.ts';
import { createTokens, tokenOf } from '../../src/world/tokens.ts';
import { walletAddress } from '../../src/world/wallets.ts';

describe('addresses of the world', () => {
  it('are on the curve for wallets', () => {
    for (let i = 0; i < 20; i += 1) expect(isOffCurveAddress(walletAddress('seed', String(i)))).toBe(false);
  });
});

describe('interest of the world', () => {
  it('follows the borrow curve at its points, between them and beyond', () => {
    const curve = [
      [0, 100],
      [5000, 300],
      [10_000, 1300],
    ] as const;
    const at = (bps: bigint) => {
      const rate = curveRateSf(curve, (FRACTION_ONE * bps) / 10_000n);
      return (rate * 10_000n + FRACTION_ONE / 2n) / FRACTION_ONE;
    };
    expect(at(0n)).toBe(100n);
    expect(at(5000n)).toBe(300n);
    expect(at(7500n)).toBe(800n);
    expect(at(10_000n)).toBe(1300n);
    expect(at(12_000n)).toBe(1300n);
  });
});

describe('prices of the world', () => {
  const tokens = createTokens('seed');
  const prices = new Prices('seed');
  const usd = (symbol: string, slot: bigint) =>
    Number(prices.priceSf(tokenOf(tokens, symbol), slot)) / 2 ** 60;
  const start = slotAt(Date.UTC(2026, 0, 1));

  it('depend on the slot alone', () => {
    expect(new Prices('seed').priceSf(tokenOf(tokens, 'SOL'), start)).toBe(
      prices.priceSf(tokenOf(tokens, 'SOL'), start),
    );
    expect(new Prices('other').priceSf(tokenOf(tokens, 'SOL'), start)).not.toBe(
      prices.priceSf(tokenOf(tokens, 'SOL'), start),
    );
  });

  it('move slowly and stay in bounds', () => {
    for (let day = 0n; day < 700n; day += 7n) {
      const slot = start - day * 216_000n;
      expect(usd('USDC', slot)).toBeGreaterThan(0.999);
      expect(usd('USDC', slot)).toBeLessThan(1.001);
      expect(usd('SOL', slot)).toBeGreaterThan(110);
      expect(usd('SOL', slot)).toBeLessThan(225);
      expect(Math.abs(usd('SOL', slot + 1n) / usd('SOL', slot) - 1)).toBeLessThan(0.001);
    }
  });

  it('let staked SOL appreciate against SOL', () => {
    const ratio = (slot: bigint) => usd('jitoSOL', slot) / usd('SOL', slot);
    expect(ratio(start)).toBeGreaterThan(ratio(start - 216_000n * 30n));
    expect(ratio(start)).toBeGreaterThan(1.2);
  });
});

describe('time of the world', () => {
  const ms = Date.UTC(2026, 5, 15);

  it('has slots of 400 ms on average from a fixed beginning', () => {
    expect(slotAt(ms + 60_000) - slotAt(ms)).toBe(150n);
    expect(timeOf(slotAt(ms))).toBe(ms / 1000);
    expect(slotAt(0)).toBe(GENESIS_SLOT);
  });

  it('has shorter and longer slots in every minute', () => {
    const lengths = new Set<number>();
    for (let slot = slotAt(ms); slot < slotAt(ms + 60_000); slot += 1n) {
      lengths.add(startOf(slot + 1n) - startOf(slot));
      expect(slotAt(startOf(slot))).toBe(slot);
      expect(slotAt(startOf(slot + 1n) - 1)).toBe(slot);
    }
    expect([...lengths].sort()).toEqual([250, 475]);
  });
});
