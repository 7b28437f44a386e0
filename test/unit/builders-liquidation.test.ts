import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import {
  type LendingSetting,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import {
  type Asked,
  BALANCE,
  buildOn,
  errorsOf,
  LIQUIDATOR,
  tokenOf,
  unhealthy,
} from '../support/lending/liquidation-bench.ts';
import { LIQUIDATION_TERMS, SEIZABLE, UNHEALTHY } from '../support/lending/unhealthy-loan.ts';

const shortReserve: ReserveSetting = { config: SEIZABLE, available: 50_000_000n, borrowed: 999_950_000_000n };
const emptyReserve: ReserveSetting = { config: SEIZABLE, available: 0n, borrowed: 1_000_000_000_000n };
const grouped: ReserveSetting = {
  config: {
    ...SEIZABLE,
    elevationGroups: Uint8Array.of(1),
    borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n],
  },
};

const CASES: readonly (readonly [string, LendingSetting, Asked])[] = [
  ['a fifth of the debt', UNHEALTHY, {}],
  ['less than allowed', UNHEALTHY, { amount: { baseUnits: 77_000_001n } }],
  ['more than allowed', UNHEALTHY, { amount: { baseUnits: 777_000_001n } }],
  ['an insolvent loan', { ...UNHEALTHY, borrows: [[1, 1_200_000_000n]] }, {}],
  ['a nearly bad loan', { ...UNHEALTHY, borrows: [[1, 993_000_001n]] }, {}],
  [
    'a debt below the minimum',
    { ...UNHEALTHY, market: { ...LIQUIDATION_TERMS, minFullLiquidationValueThreshold: 1_000n } },
    {},
  ],
  ['a reserve with little liquidity', { ...UNHEALTHY, reserves: [shortReserve, { config: SEIZABLE }] }, {}],
  ['a reserve without liquidity', { ...UNHEALTHY, reserves: [emptyReserve, { config: SEIZABLE }] }, {}],
  [
    'debt and collateral of the same reserve',
    {
      ...UNHEALTHY,
      reserves: [{ config: SEIZABLE, collateral: 987_654_321_012n }, { config: SEIZABLE }],
      borrows: [[0, 917_000_003n]],
    },
    { repay: 0 },
  ],
  [
    'a loan in an elevation group',
    {
      ...UNHEALTHY,
      reserves: [grouped, grouped],
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
            maxReservesAsCollateral: 8,
          },
        ],
      },
    },
    {},
  ],
  [
    'farms on both sides, and a referrer',
    {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE, farmCollateral: true },
        { config: SEIZABLE, farmDebt: true },
      ],
      referred: true,
    },
    {},
  ],
  [
    'several positions and an exchange rate',
    {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE, collateral: 913_131_313_131n },
        { config: { ...SEIZABLE, borrowFactorPct: 130n } },
        { config: SEIZABLE },
      ],
      deposits: [
        [0, 700_000_007n],
        [2, 300_000_003n],
      ],
      borrows: [
        [1, 700_000_001n],
        [2, 100_000_009n],
      ],
    },
    {},
  ],
];

describe('the preview of a liquidation is its outcome', () => {
  it.each(CASES)('%s', (_name, setting, asked) => {
    const bench = unhealthy(setting);
    const built = buildOn(bench, asked);
    const { preview, outcome, accounts } = built;
    const figures = preview.liquidation ?? expect.fail('it is refused');
    expect(errorsOf(built)).toEqual([]);
    const [paid, taken] = [asked.repay ?? 1, asked.withdraw ?? 0];
    const [debt, seized] = [bench.reserve(paid), bench.reserve(taken)];
    const [source, destination] = [tokenOf(debt.liquidity.mintPubkey), tokenOf(seized.liquidity.mintPubkey)];
    const feesBefore = bench.balance(seized.liquidity.feeVault);

    expect(bench.failureOf(built.action.instructions)).toBeNull();
    const isSame = source === destination;
    const received = figures.received.amount;
    expect(BALANCE - bench.balance(source)).toBe(figures.repaid.amount - (isSame ? received : 0n));
    if (!isSame) expect(bench.balance(destination) - BALANCE).toBe(received);
    expect(bench.balance(tokenOf(seized.collateral.mintPubkey))).toBe(figures.collateralTokens?.amount ?? 0n);
    expect(bench.balance(seized.liquidity.feeVault) - feesBefore).toBe(figures.protocolFee.amount);

    for (const index of [paid, taken]) {
      const promised = outcome.effect?.reserves.get(reserveAddress(index)) ?? expect.fail('no reserve');
      const found = bench.reserve(index);
      expect(found.liquidity.totalAvailableAmount).toBe(promised.liquidity.totalAvailableAmount);
      expect(found.liquidity.borrowedAmountSf).toBe(promised.liquidity.borrowedAmountSf);
      expect(found.collateral.mintTotalSupply).toBe(promised.collateral.mintTotalSupply);
    }
    const { deposits, borrows } = bench.obligation();
    const position = refreshedObligation(
      outcome.after.obligation,
      accounts.repay.market,
      outcome.after.reserves,
    );
    expect(position?.deposits.map(({ collateral }) => collateral)).toEqual(
      deposits.map(({ depositedAmount }) => depositedAmount).filter((amount) => amount > 0n),
    );
    expect(position?.debts.map(({ amountSf }) => amountSf)).toEqual(
      borrows.map(({ borrowedAmountSf }) => borrowedAmountSf).filter((amount) => amount > 0n),
    );
  });

  it('gives bonus, fee and profit', () => {
    const { preview } = buildOn(unhealthy());
    const { liquidation, healthFactor } = preview;
    expect(liquidation).toMatchObject({
      repaid: { amount: 180_000_000n },
      received: { amount: 184_499_999n },
      protocolFee: { amount: 4_500_000n },
      collateralTokens: null,
    });
    expect(toDecimalString(liquidation?.profitUsd ?? expect.fail())).toBe('4.499999');
    expect(liquidation?.collateral.before && toDecimalString(liquidation.collateral.before)).toBe('1000');
    expect(liquidation?.collateral.after && toDecimalString(liquidation.collateral.after)).toBe('811.000001');
    // 850 / 900, then 85 % of 811.000001 over 720.
    expect(healthFactor?.before && toDecimalString(healthFactor.before)).toMatch(/^0\.9444/);
    expect(healthFactor?.after && toDecimalString(healthFactor.after)).toMatch(/^0\.9574/);
  });

  it('wraps SOL to repay it, and unwraps what is left', () => {
    const setting: LendingSetting = {
      ...UNHEALTHY,
      reserves: [
        { config: SEIZABLE },
        { sol: true, config: SEIZABLE, priceUsd: 100n, available: 10n ** 14n },
      ],
      // 9 SOL at 100 USD.
      borrows: [[1, 9_000_000_000n]],
    };
    const bench = unhealthy(setting);
    const before = bench.account(LIQUIDATOR).lamports;
    const { action, preview } = buildOn(bench);
    expect(preview.liquidation?.repaid).toMatchObject({ amount: 1_800_000_000n, mint: WRAPPED_SOL_MINT });
    expect(bench.failureOf(action.instructions)).toBeNull();
    // Only the rent of the account for collateral tokens is gone besides.
    expect(before - bench.account(LIQUIDATOR).lamports).toBe(1_800_000_000n + 2_039_280n);
  });
});
