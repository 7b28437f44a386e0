import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { accrueReserve } from '../../src/domain/interest.ts';
import type { Moment } from '../../src/domain/moment.ts';
import { netApy } from '../../src/domain/net-apy.ts';
import type { Positions, PricedReserves } from '../../src/domain/obligation.ts';
import { parseDecimal, toDecimalString } from '../../src/numeric/decimal.ts';
import { integer, ONE, Rational, ZERO } from '../../src/numeric/rational.ts';
import { NOW, RESERVES, SLOT, usualReserve } from '../support/domain/domain-accounts.ts';

const [SUPPLIED, OWED, OTHER] = RESERVES as [Address, Address, Address];
/** Slots of 500 ms, for which the curve is defined: the rates are those of the curve. */
const MOMENT: Moment = { ...NOW, slotDurationMs: integer(500) };
const FLAT = Array.from({ length: 11 }, (_, index) => ({
  utilizationRateBps: index === 0 ? 0 : 10_000,
  borrowRateBps: 1_000,
}));

/**
 * Half of the reserve is lent at 10 %, and the protocol takes a fifth of the interest: borrowers pay 10 %, suppliers earn
 * 4 % a year. Compounded in 63,072,000 slots, by (1 + r / n)^n - 1 in decimal arithmetic of 60 digits, borrowers pay
 * 0.1051709179880357751110733370094395111 and suppliers earn:
 */
const SUPPLY_APY = parseDecimal('0.0408107741791866695050694212888090586');

const accrued = accrueReserve(
  usualReserve(500_000_000_000n, {
    config: { protocolTakeRatePct: 20, borrowRateCurve: { points: FLAT } },
  }),
  SLOT,
  0,
);
const reserves: PricedReserves = (address) => (address === OTHER ? undefined : { accrued, priceUsd: ONE });

/** Values in USD; null for an unknown price. */
function positions(
  deposits: readonly (readonly [Address, number | null])[],
  borrows: readonly (readonly [Address, number | null])[],
): Positions {
  const common = ([reserve, usd]: readonly [Address, number | null]) => ({
    reserve,
    amount: ZERO,
    priceUsd: ONE,
    valueUsd: usd === null ? null : integer(usd),
  });
  return {
    elevationGroup: 0,
    deposits: deposits.map((each) => ({ ...common(each), collateral: 0n, maxLtv: ONE, liquidationLtv: ONE })),
    borrows: borrows.map((each) => ({ ...common(each), borrowFactor: ONE, factoredUsd: ONE })),
  };
}

/** APYs have 30 digits behind the point. */
function expectNear(found: Rational | null, wanted: Rational): void {
  const distance = (found ?? expect.fail('null')).sub(wanted).abs();
  const shown = `${found && toDecimalString(found)}, not ${toDecimalString(wanted)}`;
  expect(distance.compare(Rational.of(1n, 10n ** 29n)), shown).toBe(-1);
}

describe('the net APY of an obligation', () => {
  it('is the supply APY without a debt', () => {
    expectNear(netApy(positions([[SUPPLIED, 300]], []), reserves, MOMENT), SUPPLY_APY);
  });

  it('is what deposits earn less what debts cost, on the net value', () => {
    // 300 earn 12.2432…, 100 cost 10.5170…: 1.7261… on 200.
    const found = netApy(positions([[SUPPLIED, 300]], [[OWED, 100]]), reserves, MOMENT);
    expectNear(found, parseDecimal('0.0086307022747621167020674634284938324'));
  });

  it('is negative when debts cost more', () => {
    // 300 earn 12.2432…, 200 cost 21.0341…: -8.7909… on 100.
    const found = netApy(positions([[SUPPLIED, 300]], [[OWED, 200]]), reserves, MOMENT);
    expectNear(found, parseDecimal('-0.0879095134385115417069384101524518463'));
  });

  it('counts every deposit and every debt by its value', () => {
    const split = positions(
      [
        [SUPPLIED, 100],
        [OWED, 200],
      ],
      [
        [OWED, 60],
        [SUPPLIED, 40],
      ],
    );
    const whole = positions([[SUPPLIED, 300]], [[OWED, 100]]);
    expect(netApy(split, reserves, MOMENT)).toEqual(netApy(whole, reserves, MOMENT));
  });

  it('is unknown without a price or a reserve', () => {
    expect(netApy(positions([[SUPPLIED, null]], []), reserves, MOMENT)).toBeNull();
    expect(netApy(positions([[SUPPLIED, 300]], [[OWED, null]]), reserves, MOMENT)).toBeNull();
    expect(netApy(positions([[OTHER, 300]], []), reserves, MOMENT)).toBeNull();
    expect(netApy(positions([[SUPPLIED, 300]], [[OTHER, 100]]), reserves, MOMENT)).toBeNull();
  });

  it('is not defined for a net value of zero or less, nor without positions', () => {
    expect(netApy(positions([[SUPPLIED, 100]], [[OWED, 100]]), reserves, MOMENT)).toBeNull();
    expect(netApy(positions([[SUPPLIED, 100]], [[OWED, 101]]), reserves, MOMENT)).toBeNull();
    expect(netApy(positions([], []), reserves, MOMENT)).toBeNull();
  });
});
