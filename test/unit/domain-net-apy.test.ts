import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { NO_TERMS } from '../../src/domain/interest.ts';
import type { Moment } from '../../src/domain/moment.ts';
import { netApy, type PositionApys } from '../../src/domain/net-apy.ts';
import type { Positions } from '../../src/domain/obligation.ts';
import { borrowApy, supplyApy } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { NOW, RESERVES, usualReserve } from '../support/domain/domain-accounts.ts';

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

const accrued = refreshReserve(
  usualReserve(500_000_000_000n, {
    config: { protocolTakeRatePct: 20, borrowRateCurve: { points: FLAT } },
  }),
  NOW,
  NO_TERMS,
);
const apys: PositionApys = {
  supply: (address) => (address === OTHER ? undefined : supplyApy(accrued, MOMENT)),
  borrow: (address) => (address === OTHER ? undefined : borrowApy(accrued, MOMENT)),
};

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
    expectNear(netApy(positions([[SUPPLIED, 300]], []), apys), SUPPLY_APY);
  });

  it('is what deposits earn less what debts cost, on the net value', () => {
    // 300 earn 12.2432…, 100 cost 10.5170…: 1.7261… on 200.
    const found = netApy(positions([[SUPPLIED, 300]], [[OWED, 100]]), apys);
    expectNear(found, parseDecimal('0.0086307022747621167020674634284938324'));
  });

  it('is negative when debts cost more', () => {
    // 300 earn 12.2432…, 200 cost 21.0341…: -8.7909… on 100.
    const found = netApy(positions([[SUPPLIED, 300]], [[OWED, 200]]), apys);
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
    expect(netApy(split, apys)).toEqual(netApy(whole, apys));
  });

  it('is unknown without a price or a reserve', () => {
    expect(netApy(positions([[SUPPLIED, null]], []), apys)).toBeNull();
    expect(netApy(positions([[SUPPLIED, 300]], [[OWED, null]]), apys)).toBeNull();
    expect(netApy(positions([[OTHER, 300]], []), apys)).toBeNull();
    expect(netApy(positions([[SUPPLIED, 300]], [[OTHER, 100]]), apys)).toBeNull();
  });

  it('is zero at a net value of zero, also without positions', () => {
    expect(netApy(positions([[SUPPLIED, 100]], [[OWED, 100]]), apys)).toEqual(ZERO);
    expect(netApy(positions([], []), apys)).toEqual(ZERO);
  });

  it('is a loss on a negative net value with the sign of both', () => {
    // 100 earn 4.0810…, 200 cost 21.0341…: -16.9531… on -100.
    const found = netApy(positions([[SUPPLIED, 100]], [[OWED, 200]]), apys);
    expectNear(found, parseDecimal('0.1695310617968848807170772527300699636'));
  });
});
