import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation } from '@sluice/protocol/klend/setup-instructions';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type LendingSetting, MARKET, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { LIQUIDATION_TERMS, SEIZABLE } from '../support/lending/unhealthy-loan.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';
import {
  DESTINATION,
  fundLiquidator,
  type LiquidationCall,
  liquidationCall,
  SOURCE,
} from '../support/localnet/liquidation-call.ts';

/** Liquidations of debts that have ended. The expected amounts are worked out by hand from the rules of the program. */

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400n;
const TERM = 30n * DAY;
const GROWING = { minDeleveragingBonusBps: 100, deleveragingBonusIncreaseBpsPerDay: 10n };
const SWITCHED_ON = {
  ...LIQUIDATION_TERMS,
  matureReserveDebtLiquidationEnabled: 1,
  obligationBorrowDebtTermLiquidationEnabled: 1,
  termBasedFullLiquidationDurationSecs: 10n * DAY,
};

/** 1000 USD of collateral and a debt of 500: healthy by far. One USD is a token of six decimals. */
const HEALTHY: LendingSetting = {
  reserves: [0, 1, 2].map(() => ({ config: { ...SEIZABLE, ...GROWING } })),
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 500_000_000n]],
  market: SWITCHED_ON,
};

type Config = NonNullable<StructInput<typeof reserve.body.fields>['config']>;
type Market = StructInput<typeof lendingMarket.body.fields>;

/** A loan whose debt in reserve 1 has the given terms, with the term begun so many seconds ago. */
function loan(terms: Config, borrowedAgo: bigint, setting: LendingSetting = HEALTHY): LendingBench {
  const bench = lendingBench(setting, 'repay', 1);
  fundLiquidator(bench);
  bench.change(reserve, reserveAddress(1), { config: terms });
  bench.change(obligation, bench.obligationAddress, {
    borrows: [{ lastBorrowedAtTimestamp: NOW.timestamp - borrowedAgo }],
  });
  return bench;
}

/** A debt whose term ended so many seconds ago. */
const ended = (ago: bigint, setting?: LendingSetting) => loan({ debtTermSeconds: TERM }, TERM + ago, setting);
/** A debt to a reserve that matured so many seconds ago. */
const matured = (ago: bigint, setting?: LendingSetting) =>
  loan({ debtMaturityTimestamp: NOW.timestamp - ago }, DAY, setting);
const withMarket = (bench: LendingBench, fields: Market) => {
  bench.change(lendingMarket, MARKET, fields);
  return bench;
};

function attempt(bench: LendingBench, call: LiquidationCall = {}) {
  const { deposits, borrows } = bench.obligation();
  const used = [
    ...deposits.map(({ depositReserve }) => depositReserve),
    ...borrows.map(({ borrowReserve }) => borrowReserve),
  ].filter((each) => each !== NO_ADDRESS);
  const refresh = refreshObligation.encode(
    klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    used.map((address) => ({ address, role: AccountRole.WRITABLE })),
  );
  const { accounts, ...liquidation } = liquidationCall(bench, call);
  // In a group the reserves of the deposits follow.
  const grouped = bench.obligation().elevationGroup === 0 ? [] : [reserveAddress(0)];
  const more = grouped.map((address) => ({ address, role: AccountRole.WRITABLE }));
  return bench.failureOf([refresh, { ...liquidation, accounts: [...accounts, ...more] }]);
}

/** Base units that the liquidator paid, received after the protocol's fee, and the fee. */
function moved(bench: LendingBench, call: LiquidationCall = {}) {
  expect(attempt(bench, call)).toBeNull();
  return {
    paid: 10n ** 12n - bench.balance(SOURCE),
    received: bench.balance(DESTINATION),
    fee: bench.balance(bench.reserve(0).liquidity.feeVault),
  };
}

describe('a debt to a reserve that has matured', () => {
  it('is settled whole, with a bonus that has grown for ten days', () => {
    // 100 + 10 * 10 basis points are 2 %: 510 of collateral, and half of the 10 is the protocol's fee. Two per cent are
    // rounded down to 2^-60, so one collateral token is missing, and the fee is rounded up.
    const bench = matured(10n * DAY);
    expect(moved(bench)).toEqual({ paid: 500_000_000n, received: 504_999_999n, fee: 5_000_000n });
    expect(bench.obligation().borrows[0]?.borrowReserve).toBe(NO_ADDRESS);
    expect(bench.obligation().hasDebt).toBe(0);
  });

  it('may be settled in parts, but a small one only whole', () => {
    expect(moved(matured(0n), { amount: 100_000_000n }).paid).toBe(100_000_000n);
    const strict = withMarket(matured(0n), { minFullLiquidationValueThreshold: 501n });
    expect(attempt(strict, { amount: 499_999_999n })).toBe(6121);
    expect(moved(strict).paid).toBe(500_000_000n);
  });

  it("is capped by its own reserve's maximum, and by the collateral that the debt leaves", () => {
    // After 100 days 11 % would be due. The maximum of the debt's reserve counts, not that of the collateral's.
    const bench = matured(100n * DAY);
    bench.change(reserve, reserveAddress(0), { config: { maxLiquidationBonusBps: 1_000 } });
    // 5 % of 500 are 25, of which the protocol takes a half.
    expect(moved(bench)).toEqual({ paid: 500_000_000n, received: 512_499_999n, fee: 12_500_000n });
    // A debt of 980 leaves 2 %. Liquidations for the health are off, or it would be one.
    const risky = { ...HEALTHY, borrows: [[1, 980_000_000n]] as const };
    const capped = withMarket(matured(100n * DAY, risky), { priceTriggeredLiquidationDisabled: 1 });
    const { paid, received, fee } = moved(capped);
    expect(paid).toBe(980_000_000n);
    expect(Number(received + fee) / 1e6).toBeCloseTo(980 * 1.02, 4);
  });

  it('6016: before the maturity, and when the market has this switched off', () => {
    expect(attempt(matured(-1n))).toBe(6016);
    expect(attempt(matured(0n))).toBeNull();
    expect(attempt(withMarket(matured(DAY), { matureReserveDebtLiquidationEnabled: 0 }))).toBe(6016);
  });
});

describe('a debt whose term has ended', () => {
  it('is settled by the part of the time that has passed', () => {
    // Five of ten days: half of 500. 100 + 5 * 10 basis points of 250 are 3.75.
    const bench = ended(5n * DAY);
    expect(moved(bench)).toEqual({ paid: 250_000_000n, received: 251_874_999n, fee: 1_875_000n });
    const [debt] = bench.obligation().borrows;
    expect(debt?.borrowedAmountSf).toBe(250_000_000n * FRACTION_ONE);
    // What is kept back is half of what was owed at the end, so there is no second half now.
    expect(debt?.borrowedAmountAtExpiration).toBe(500_000_000n);
    for (const i of [0, 1]) bench.change(reserve, reserveAddress(i), { lastUpdate: { stale: 0 } });
    expect(attempt(bench)).toBe(6015);
  });

  it('keeps back a part of what was owed when a refresh first noticed the end', () => {
    const bench = ended(5n * DAY);
    bench.change(obligation, bench.obligationAddress, {
      borrows: [{ borrowedAmountAtExpiration: 700_000_000n }],
    });
    // 500 less half of 700.
    expect(moved(bench).paid).toBe(150_000_000n);
  });

  it('is settled whole once the time is over, and at once in a market without such a time', () => {
    expect(moved(ended(10n * DAY)).paid).toBe(500_000_000n);
    const atOnce = withMarket(ended(0n), { termBasedFullLiquidationDurationSecs: 0n });
    expect(moved(atOnce).paid).toBe(500_000_000n);
  });

  it('has the terms of the reserve with the higher maximum', () => {
    const bench = ended(10n * DAY);
    bench.change(reserve, reserveAddress(0), {
      config: {
        maxLiquidationBonusBps: 600,
        minDeleveragingBonusBps: 300,
        deleveragingBonusIncreaseBpsPerDay: 0n,
      },
    });
    // 3 % of 500 are 15.
    expect(moved(bench)).toEqual({ paid: 500_000_000n, received: 507_499_999n, fee: 7_500_000n });
  });

  it('is capped by the maximum of an elevation group, which does not count for a maturity', () => {
    const grouped = { ...SEIZABLE, ...GROWING, elevationGroups: Uint8Array.of(1) };
    const setting: LendingSetting = {
      ...HEALTHY,
      reserves: [0, 1, 2].map(() => ({
        config: { ...grouped, borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n] },
      })),
      change: { elevationGroup: 1 },
      market: {
        ...SWITCHED_ON,
        elevationGroups: [
          {
            id: 1,
            maxLiquidationBonusBps: 50,
            ltvPct: 75,
            liquidationThresholdPct: 85,
            debtReserve: reserveAddress(1),
            maxReservesAsCollateral: 8,
          },
        ],
      },
    };
    const total = ({ received, fee }: ReturnType<typeof moved>) => received + fee;
    // Half a percent of 500, and 2 % of it.
    expect(total(moved(ended(10n * DAY, setting)))).toBe(502_499_999n);
    expect(total(moved(matured(10n * DAY, setting)))).toBe(509_999_999n);
  });

  it('6016: before the end, when nobody stored the time of the borrow, and when this is switched off', () => {
    expect(attempt(ended(-1n))).toBe(6016);
    expect(attempt(loan({ debtTermSeconds: TERM }, NOW.timestamp))).toBe(6016);
    expect(attempt(withMarket(ended(DAY), { obligationBorrowDebtTermLiquidationEnabled: 0 }))).toBe(6016);
  });

  it('6015: at the very end, when no part of the debt is due', () => {
    expect(attempt(ended(0n))).toBe(6015);
    expect(attempt(ended(1n))).toBeNull();
  });

  it('6100: another deposit has a lower threshold; the borrow factor does not matter', () => {
    const bench = ended(10n * DAY, {
      ...HEALTHY,
      deposits: [
        [0, 500_000_000n],
        [2, 500_000_000n],
      ],
      borrows: [
        [1, 200_000_000n],
        [2, 100_000_000n],
      ],
    });
    bench.change(reserve, reserveAddress(0), { config: { liquidationThresholdPct: 84 } });
    bench.change(reserve, reserveAddress(2), { config: { borrowFactorPct: 150n } });
    expect(attempt(bench, { withdraw: 2 })).toBe(6100);
    expect(attempt(bench)).toBeNull();
  });

  it('is no reason while the loan is unhealthy: then the close factor counts', () => {
    const unhealthy = { ...HEALTHY, borrows: [[1, 900_000_000n]] as const };
    expect(moved(ended(10n * DAY, unhealthy)).paid).toBe(180_000_000n);
    const off = withMarket(ended(10n * DAY, unhealthy), { priceTriggeredLiquidationDisabled: 1 });
    expect(moved(off).paid).toBe(900_000_000n);
  });

  it('comes after the maturity of its reserve', () => {
    const both = { debtTermSeconds: TERM, debtMaturityTimestamp: NOW.timestamp - DAY };
    // Of the term alone a tenth would be due.
    expect(moved(loan(both, TERM + DAY)).paid).toBe(500_000_000n);
    const off = withMarket(loan(both, TERM + DAY), { matureReserveDebtLiquidationEnabled: 0 });
    expect(moved(off).paid).toBe(50_000_000n);
  });
});
