import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { bigIntScalar } from '../../src/graphql/scalars.ts';
import { valuedAmount } from '../../src/services/tokens/amounts.ts';

const TOKEN = { mint: testAddress(1), decimals: 6n };
const UNPRICED = { usd: null, sol: null };

describe('base units of an amount', () => {
  it.each([
    ['down', Rational.of(7n, 2n), 3n],
    ['up', Rational.of(7n, 2n), 4n],
    ['down', Rational.of(-7n, 2n), -4n],
    ['up', integer(7n), 7n],
    ['down', integer(7n), 7n],
  ] as const)(
    'are rounded %s to an integer, while the amount keeps its fraction',
    (rounding, exact, whole) => {
      const amount = valuedAmount(TOKEN, exact, UNPRICED, rounding);
      expect(amount.wholeUnits).toBe(whole);
      expect(amount.baseUnits.equals(exact)).toBe(true);
      expect(amount.amount.equals(exact.div(integer(1_000_000n)))).toBe(true);
      expect(amount.decimals).toBe(6);
    },
  );

  it('are rounded down unless they are a debt', () => {
    expect(valuedAmount(TOKEN, Rational.of(1n, 3n), UNPRICED).wholeUnits).toBe(0n);
  });
});

describe('the BigInt scalar', () => {
  it('writes all digits as a string and reads them back', () => {
    const large = 340282366920938463463374607431768211456n;
    expect(bigIntScalar.serialize(large)).toBe('340282366920938463463374607431768211456');
    expect(bigIntScalar.serialize(-5n)).toBe('-5');
    expect(bigIntScalar.parseValue('340282366920938463463374607431768211456')).toBe(large);
    expect(bigIntScalar.parseValue(-5)).toBe(-5n);
  });

  it.each(['1.5', '1e3', '', ' 1', '0x1', 'abc', '1'.repeat(101)])('rejects %j', (text) => {
    expect(() => bigIntScalar.parseValue(text)).toThrow(
      expect.objectContaining({ extensions: { code: 'NUMBER_OUT_OF_RANGE' } }),
    );
  });
});
