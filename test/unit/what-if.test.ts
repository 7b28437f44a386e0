import { refreshObligation } from '@sluice/protocol/klend/setup-instructions';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { largestLiquidation } from '../../src/domain/largest-liquidation.ts';
import { isUnhealthy } from '../../src/domain/liquidation-reason.ts';
import { refreshedObligation } from '../../src/domain/refreshed-obligation.ts';
import { growthIn, reserveAhead } from '../../src/domain/risk/interest-ahead.ts';
import { type PriceShock, shockedPrice } from '../../src/domain/risk/price-shock.ts';
import { type LendingSetting, MARKET, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { pricedReserves } from '../support/lending/priced-reserves.ts';
import { shockedReserves } from '../support/lending/shocked-reserves.ts';
import { LIQUIDATION_TERMS, SEIZABLE } from '../support/lending/unhealthy-loan.ts';
import { lendingBench } from '../support/localnet/lending-bench.ts';
import { FUNDS, fundLiquidator, liquidationCall, SOURCE } from '../support/localnet/liquidation-call.ts';

/** A shock computed ahead, against the embedded lending program after its oracle has moved that far. */

const { klend } = MAINNET_PROGRAMS;

/** 1000 tokens of collateral at a price of 100 USD, and a debt of 60,000 USD: liquidatable from 70.588 USD on. */
const loanAt = (priceUsd: bigint): LendingSetting => ({
  reserves: [{ config: SEIZABLE, priceUsd }, { config: SEIZABLE }],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 60_000_000_000n]],
  market: LIQUIDATION_TERMS,
});

/** The loan at 100 USD under a shock of its collateral, as the program would see it. */
function supposed(shock: PriceShock) {
  const bench = lendingBench(loanAt(100n), 'repay', 1);
  const { accounts } = bench;
  const mint = bench.reserve(0).liquidity.mintPubkey;
  const reserves = shockedReserves(pricedReserves(bench.accounts), new Map([[mint, shock]]));
  const loan = accounts.obligation ?? expect.fail('no obligation');
  const obligation = refreshedObligation(loan, accounts.market, reserves) ?? expect.fail('no price');
  const { timestamp } = NOW;
  const state = { obligation, group: 0, market: accounts.market, reserves, timestamp };
  return { obligation, isLiquidatable: isUnhealthy(obligation), liquidation: largestLiquidation(state) };
}

/** The loan on the localnet at another price: its stored values, and what a liquidator paid and got. */
function executed(priceUsd: bigint) {
  const bench = lendingBench(loanAt(priceUsd), 'repay', 1);
  fundLiquidator(bench);
  const refresh = refreshObligation.encode(
    klend,
    { lendingMarket: MARKET, obligation: bench.obligationAddress },
    {},
    [0, 1].map((index) => ({ address: reserveAddress(index), role: AccountRole.WRITABLE })),
  );
  expect(bench.failureOf([refresh])).toBeNull();
  const stored = bench.obligation();
  const failure = bench.failureOf([liquidationCall(bench)]);
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
  const accrued = pricedReserves(lendingBench(loanAt(100n), 'repay', 1).accounts)(reserveAddress(1))?.accrued;
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
