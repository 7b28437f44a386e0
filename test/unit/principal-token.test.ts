import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { yieldToMaturity } from '../../src/domain/principal-token.ts';

const NOW = 1_780_000_000n;
const YEAR = 31_536_000n;

function yieldIn(seconds: bigint, price: string, redemption = '1'): string | null {
  const income = {
    price: parseDecimal(price),
    redemption: parseDecimal(redemption),
    maturity: NOW + seconds,
  };
  const apy = yieldToMaturity(income, NOW);
  return apy && toDecimalString(apy);
}

describe('the yield of a principal token', () => {
  it('is what it gains until maturity, per year', () => {
    expect(yieldIn(YEAR, '0.8')).toBe('0.25');
    // (1 / 0.95)^2 - 1 = 1 / 0.9025 - 1
    expect(yieldIn(YEAR / 2n, '0.95')?.slice(0, 14)).toBe('0.108033240997');
    expect(yieldIn(2n * YEAR, '1', '1.21')).toBe('0.1');
    expect(yieldIn(YEAR, '1.25')).toBe('-0.2');
  });

  it('ends at maturity', () => {
    expect([yieldIn(0n, '0.9'), yieldIn(-1n, '0.9')]).toEqual([null, null]);
  });
});
