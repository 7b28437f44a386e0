import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { priceAtRefresh } from '../../src/builders/lending/accounts.ts';
import { isUnhealthy } from '../../src/domain/liquidation-block.ts';
import type { PricedReserves } from '../../src/domain/obligation.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { growthIn, reserveAhead } from '../../src/domain/risk/interest-ahead.ts';
import { largestLiquidation } from '../../src/domain/risk/largest-liquidation.ts';
import { type PriceShock, shockedPrice, shockedReserves } from '../../src/domain/risk/price-shock.ts';
import { parseDecimal, toDecimalString } from '../../src/numeric/decimal.ts';
import { U64_MAX } from '../../src/numeric/fraction.ts';
import { integer, Rational } from '../../src/numeric/rational.ts';
import { marketAuthority } from '../../src/programs/klend/addresses.ts';
import { liquidateV2 } from '../../src/programs/klend/liquidation-instructions.ts';
import { refreshObligation } from '../../src/programs/klend/setup-instructions.ts';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  REFERRER,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { type LendingBench, lendingBench } from '../support/runtime/lending-bench.ts';

/** A shock computed ahead, against the embedded lending program after its oracle has moved that far. */

const { klend, farms } = MAINNET_PROGRAMS;
const LIQUIDATOR = REFERRER;
const [SOURCE, COLLATERAL, DESTINATION] = [addressNumber(71), addressNumber(72), addressNumber(73)];
const FUNDS = 10n ** 12n;

const config: ReserveSetting['config'] = {
  loanToValuePct: 75,
  liquidationThresholdPct: 85,
  minLiquidationBonusBps: 200,
  maxLiquidationBonusBps: 500,
  badDebtLiquidationBonusBps: 99,
  protocolLiquidationFeePct: 50,
  borrowFactorPct: 100n,
  borrowLimitOutsideElevationGroup: U64_MAX,
};

/** 1000 tokens of collateral at a price of 100 USD, and a debt of 60,000 USD: liquidatable from 70.588 USD on. */
const loanAt = (priceUsd: bigint): LendingSetting => ({
  reserves: [{ config, priceUsd }, { config }],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 60_000_000_000n]],
  market: {
    liquidationMaxDebtCloseFactorPct: 20,
    insolvencyRiskUnhealthyLtvPct: 95,
    maxLiquidatableDebtMarketValueAtOnce: 500_000n,
    minFullLiquidationValueThreshold: 2n,
  },
});

function reservesOf({ accounts }: LendingBench): PricedReserves {
  return (address) => {
    const account = accounts.reserves.get(address);
    if (account === undefined) return undefined;
    const accrued = refreshReserve(account, NOW.slot, accounts.market.referralFeeBps);
    return { accrued, priceUsd: priceAtRefresh(accounts, account, NOW.timestamp)?.usd ?? null };
  };
}

/** The loan at 100 USD under a shock of its collateral, as the program would see it. */
function supposed(shock: PriceShock) {
  const bench = lendingBench(loanAt(100n), 'repay', 1);
  const { accounts } = bench;
  const mint = bench.reserve(0).liquidity.mintPubkey;
  const reserves = shockedReserves(reservesOf(bench), new Map([[mint, shock]]));
  const loan = accounts.obligation ?? expect.fail('no obligation');
  const obligation = refreshedObligation(loan, accounts.market, reserves) ?? expect.fail('no price');
  const state = { obligation, group: 0, market: accounts.market, reserves };
  return { obligation, isLiquidatable: isUnhealthy(obligation), liquidation: largestLiquidation(state) };
}

/** The loan on the embedded chain at another price: its stored values, and what a liquidator paid and got. */
function executed(priceUsd: bigint) {
  const bench = lendingBench(loanAt(priceUsd), 'repay', 1);
  const [seized, repaid] = [bench.reserve(0), bench.reserve(1)];
  bench.setBalance(SOURCE, repaid.liquidity.mintPubkey, LIQUIDATOR, FUNDS);
  bench.setBalance(COLLATERAL, seized.collateral.mintPubkey, LIQUIDATOR, 0n);
  bench.setBalance(DESTINATION, seized.liquidity.mintPubkey, LIQUIDATOR, 0n);
  const refresh = refreshObligation.encode(
    klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    [0, 1].map((index) => ({ address: reserveAddress(index), role: AccountRole.WRITABLE })),
  );
  expect(bench.failureOf([refresh])).toBeNull();
  const stored = bench.obligation();
  const failure = bench.failureOf([
    liquidateV2.encode(
      klend,
      {
        liquidator: LIQUIDATOR,
        obligation: bench.obligationAddress,
        lendingMarket: MARKET,
        lendingMarketAuthority: marketAuthority(klend, MARKET).address,
        repayReserve: reserveAddress(1),
        repayReserveLiquidityMint: repaid.liquidity.mintPubkey,
        repayReserveLiquiditySupply: repaid.liquidity.supplyVault,
        withdrawReserve: reserveAddress(0),
        withdrawReserveLiquidityMint: seized.liquidity.mintPubkey,
        withdrawReserveCollateralMint: seized.collateral.mintPubkey,
        withdrawReserveCollateralSupply: seized.collateral.supplyVault,
        withdrawReserveLiquiditySupply: seized.liquidity.supplyVault,
        withdrawReserveLiquidityFeeReceiver: seized.liquidity.feeVault,
        userSourceLiquidity: SOURCE,
        userDestinationCollateral: COLLATERAL,
        userDestinationLiquidity: DESTINATION,
        collateralTokenProgram: TOKEN_PROGRAM,
        repayLiquidityTokenProgram: TOKEN_PROGRAM,
        withdrawLiquidityTokenProgram: TOKEN_PROGRAM,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        collateralObligationFarmUserState: null,
        collateralReserveFarmState: null,
        debtObligationFarmUserState: null,
        debtReserveFarmState: null,
        farmsProgram: farms,
      },
      {
        liquidityAmount: U64_MAX,
        minAcceptableReceivedLiquidityAmount: 0n,
        maxAllowedLtvOverridePercent: 0n,
      },
    ),
  ]);
  const { deposits } = bench.obligation();
  return {
    stored,
    failure,
    paid: FUNDS - bench.balance(SOURCE),
    lost: 1_000_000_000n - (deposits[0]?.depositedAmount ?? 0n),
  };
}

const OBLIGATION_HEALTHY = 6016;

describe('a loan of 60,000 USD against 1000 tokens at 100 USD', () => {
  it.each([
    [-29n, 71n, false],
    [-30n, 70n, true],
    [-35n, 65n, true],
    [-39n, 61n, true],
    [-50n, 50n, true],
    [25n, 125n, false],
  ])(
    'with a change of %s percent is as the program finds it at %s USD',
    (percent, priceUsd, isLiquidatable) => {
      const ahead = supposed({ change: Rational.of(percent, 100n) });
      const { stored, failure, paid, lost } = executed(priceUsd);
      expect(ahead.obligation).toMatchObject({
        depositedSf: stored.depositedValueSf,
        unhealthySf: stored.unhealthyBorrowValueSf,
        factoredSf: stored.borrowFactorAdjustedDebtValueSf,
      });
      expect(ahead.isLiquidatable).toBe(isLiquidatable);
      expect(failure).toBe(isLiquidatable ? null : OBLIGATION_HEALTHY);
      expect(ahead.liquidation?.repaid ?? 0n).toBe(paid);
      expect(ahead.liquidation?.seized ?? 0n).toBe(lost);
    },
  );

  it('has a price in USD in place of the current one', () => {
    expect(supposed({ usd: integer(70n) })).toEqual(supposed({ change: Rational.of(-30n, 100n) }));
  });

  it('repays a fifth of the debt at a bonus of five percent where the excess is greater', () => {
    // At 65 USD the loan-to-value is 92.3 %, 7.3 % above the threshold.
    const { liquidation } = supposed({ usd: integer(65n) });
    expect(liquidation?.repaid).toBe(12_000_000_000n);
    expect(liquidation?.bonusSf).toBe((500n << 60n) / 10_000n);
  });

  it('is not liquidatable without any value to seize', () => {
    expect(supposed({ usd: integer(0n) })).toMatchObject({ isLiquidatable: false, liquidation: null });
  });
});

describe('a supposed price', () => {
  it('stays unknown under a relative change, and is known when it is given', () => {
    expect(shockedPrice(null, { change: Rational.of(-1n, 5n) })).toBeNull();
    expect(shockedPrice(null, { usd: integer(7n) })?.compare(integer(7n))).toBe(0);
    expect(shockedPrice(null, undefined)).toBeNull();
  });

  it('is rounded down to 2^-60', () => {
    const price = shockedPrice(null, { usd: Rational.of(1n, 3n) });
    expect(price?.compare(Rational.of((1n << 60n) / 3n, 1n << 60n))).toBe(0);
  });
});

describe('interest ahead', () => {
  const accrued = reservesOf(lendingBench(loanAt(100n), 'repay', 1))(reserveAddress(1))?.accrued;
  const rates = { supplyApy: parseDecimal('0.05'), borrowApy: parseDecimal('0.21') };

  it('grows debts and deposits by their own yield in a year', () => {
    const ahead = reserveAhead(accrued ?? expect.fail('no reserve'), 365, rates);
    expect(toDecimalString(ahead.cumulativeBorrowRate).slice(0, 16)).toBe('1.20999999999999');
    expect(ahead.totalSupply.floor()).toBe(1_050_000_000_000n);
  });

  it('compounds over years and is 0 for a total loss', () => {
    expect(toDecimalString(growthIn(730, parseDecimal('0.1')))).toBe('1.21');
    expect(toDecimalString(growthIn(0, parseDecimal('0.1')))).toBe('1');
    expect(toDecimalString(growthIn(100, integer(-1n)))).toBe('0');
  });
});
