import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { largestLiquidation } from '../../src/domain/largest-liquidation.ts';
import { liquidation } from '../../src/domain/liquidation.ts';
import type { LiquidationState } from '../../src/domain/liquidation-block.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import {
  type LendingSetting,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { pricedReserves } from '../support/lending/priced-reserves.ts';
import { LIQUIDATION_TERMS, SEIZABLE, UNHEALTHY } from '../support/lending/unhealthy-loan.ts';
import { lendingBench } from '../support/localnet/lending-bench.ts';

function stateOf(setting: LendingSetting, repay = 1, withdraw = 0): LiquidationState {
  const { accounts } = lendingBench(setting, 'repay', 1);
  if (accounts.obligation === null) throw new RangeError('No obligation');
  const reserves = pricedReserves(accounts);
  const obligation = refreshedObligation(accounts.obligation, accounts.market, reserves);
  if (obligation === null) throw new RangeError('No price');
  return {
    obligation,
    group: accounts.obligation.elevationGroup,
    market: accounts.market,
    reserves,
    timestamp: NOW.timestamp,
    repayReserve: reserveAddress(repay),
    withdrawReserve: reserveAddress(withdraw),
  };
}

const bps = (value: bigint) => (value * FRACTION_ONE) / 10_000n;

describe('liquidation', () => {
  it('repays a fifth of the debt for collateral of its value and five percent', () => {
    // A fifth and five percent are rounded down to 2^-60, so one collateral token is missing.
    expect(liquidation(stateOf(UNHEALTHY), 'all')).toMatchObject({
      bonusSf: bps(500n),
      repaid: 180_000_000n,
      seized: 188_999_999n,
      redeemed: 188_999_999n,
      liquidity: 188_999_999n,
      fee: 4_500_000n,
    });
  });

  it('repays the offered amount, if that is less', () => {
    expect(liquidation(stateOf(UNHEALTHY), 100_000_000n)).toMatchObject({
      settledSf: 100_000_000n * FRACTION_ONE,
      repaid: 100_000_000n,
    });
  });

  it('pays a bonus that grows with the excess over the threshold', () => {
    const bonus = (debt: bigint) =>
      liquidation(stateOf({ ...UNHEALTHY, borrows: [[1, debt]] }), 'all') as { bonusSf: bigint };
    // 85.5 % is half a percent above: the minimum of 2 % counts. 88.5 % is 3.5 % above. 92 % reaches the maximum.
    expect(bonus(855_000_000n).bonusSf).toBe(bps(200n));
    expect(Number(bonus(885_000_000n).bonusSf) / Number(FRACTION_ONE)).toBeCloseTo(0.035, 12);
    expect(bonus(920_000_000n).bonusSf).toBe(bps(500n));
    // 97 % leaves 3 % of the collateral; 99.5 % is nearly bad and has its own bonus of 0.99 %.
    expect(Number(bonus(970_000_000n).bonusSf) / Number(FRACTION_ONE)).toBeCloseTo(0.03, 12);
    expect(bonus(995_000_000n).bonusSf).toBe(bps(99n));
  });

  it('takes all collateral of an insolvent obligation, and repays what that covers', () => {
    // 1000 USD of collateral pay for 1000 / 1.0099 USD.
    expect(liquidation(stateOf({ ...UNHEALTHY, borrows: [[1, 1_200_000_000n]] }), 'all')).toMatchObject({
      repaid: 990_197_050n,
      seized: 1_000_000_000n,
    });
  });

  it('redeems only the liquidity that the reserve has, and leaves the rest as collateral tokens', () => {
    const short: ReserveSetting = { config: SEIZABLE, available: 50_000_000n, borrowed: 999_950_000_000n };
    expect(
      liquidation(stateOf({ ...UNHEALTHY, reserves: [short, { config: SEIZABLE }] }), 'all'),
    ).toMatchObject({
      seized: 188_999_999n,
      redeemed: 50_000_000n,
      liquidity: 50_000_000n,
    });
    const empty: ReserveSetting = { config: SEIZABLE, available: 0n, borrowed: 1_000_000_000_000n };
    expect(
      liquidation(stateOf({ ...UNHEALTHY, reserves: [empty, { config: SEIZABLE }] }), 'all'),
    ).toMatchObject({
      redeemed: 0n,
      liquidity: 0n,
      fee: 0n,
    });
  });

  it('caps the bonus at the maximum of the elevation group', () => {
    const grouped: ReserveSetting['config'] = { ...SEIZABLE, elevationGroups: Uint8Array.of(1) };
    const state = stateOf({
      ...UNHEALTHY,
      reserves: [{ config: grouped }, { config: grouped }],
      change: { elevationGroup: 1 },
      market: {
        ...LIQUIDATION_TERMS,
        elevationGroups: [
          {
            id: 1,
            maxLiquidationBonusBps: 300,
            ltvPct: 75,
            liquidationThresholdPct: 85,
            debtReserve: reserveAddress(1),
          },
        ],
      },
    });
    expect(liquidation(state, 'all')).toMatchObject({ bonusSf: bps(300n) });
  });

  it('names why the program refuses', () => {
    expect(liquidation(stateOf({ ...UNHEALTHY, borrows: [[1, 849_999_999n]] }), 'all')).toBe('HEALTHY');
    const disabled = { ...UNHEALTHY, market: { ...LIQUIDATION_TERMS, priceTriggeredLiquidationDisabled: 1 } };
    expect(liquidation(stateOf(disabled), 'all')).toBe('DISABLED');
    expect(liquidation(stateOf(UNHEALTHY, 2), 'all')).toBe('RESERVE_UNKNOWN');
    expect(liquidation(stateOf(UNHEALTHY, 0), 'all')).toBe('NO_POSITION');
    const unsafe = { config: { ...SEIZABLE, liquidationThresholdPct: 0 } };
    expect(liquidation(stateOf({ ...UNHEALTHY, reserves: [unsafe, { config: SEIZABLE }] }), 'all')).toBe(
      'COLLATERAL_NOT_LIQUIDATABLE',
    );
    const whole = {
      ...UNHEALTHY,
      market: { ...LIQUIDATION_TERMS, minFullLiquidationValueThreshold: 1_000n },
    };
    expect(liquidation(stateOf(whole), 899_999_999n)).toBe('REPAYS_TOO_LITTLE');
    expect(liquidation(stateOf(whole), 'all')).toMatchObject({ repaid: 900_000_000n });
  });

  it('repays the debt with the highest borrow factor first, and seizes the lowest threshold first', () => {
    const [risky, low] = [
      { config: { ...SEIZABLE, borrowFactorPct: 150n } },
      { config: { ...SEIZABLE, liquidationThresholdPct: 60 } },
    ];
    const debts = stateOf({
      ...UNHEALTHY,
      reserves: [{ config: SEIZABLE }, { config: SEIZABLE }, risky],
      borrows: [
        [1, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    expect(liquidation(debts, 'all')).toBe('RISKIER_DEBT');
    expect(largestLiquidation(debts)).toMatchObject({ repayReserve: reserveAddress(2) });
    const deposits = stateOf({
      ...UNHEALTHY,
      reserves: [{ config: SEIZABLE }, { config: SEIZABLE }, low],
      deposits: [
        [0, 500_000_000n],
        [2, 500_000_000n],
      ],
    });
    expect(liquidation(deposits, 'all')).toBe('RISKIER_COLLATERAL');
    expect(largestLiquidation(deposits)).toMatchObject({ withdrawReserve: reserveAddress(2) });
  });
});

describe('largestLiquidation', () => {
  it('is the close factor of all debts, and null for a healthy obligation', () => {
    const found = largestLiquidation(stateOf(UNHEALTHY));
    expect(found).toMatchObject({ repaid: 180_000_000n, repayReserve: reserveAddress(1) });
    expect((found?.repaidValueSf ?? 0n) / FRACTION_ONE).toBe(179n);
    expect(largestLiquidation(stateOf({ ...UNHEALTHY, borrows: [[1, 849_999_999n]] }))).toBeNull();
  });
});
