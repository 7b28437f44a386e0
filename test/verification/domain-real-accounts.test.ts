import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { borrowFactor, collateralTerms } from '../../src/domain/elevation.ts';
import { bufferToLiquidation, healthFactor, isLiquidatable } from '../../src/domain/health.ts';
import {
  activeBorrows,
  activeDeposits,
  debtAmount,
  obligationPositions,
  type Positions,
} from '../../src/domain/obligation.ts';
import { obligationStats } from '../../src/domain/obligation-stats.ts';
import { effectivePrice, passesAll, storedPrice } from '../../src/domain/price.ts';
import { borrowApr, supplyApr } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { collateralExchangeRate } from '../../src/domain/reserve.ts';
import { expectClose } from '../support/vectors/maths-vectors.ts';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
const SOL = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q' as Address;
const USDC = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
const OBLIGATION = '4w1qUuYbXpwYkqWzuovJFvP3TRt9EgEzYQv7kYY1nM3J' as Address;
const SCOPE = '3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C' as Address;

const { klend } = MAINNET_PROGRAMS;

/** The program rounds down to 2^-60 at every step, including the factors of a product. */
function expectStored(actual: Rational, storedSf: bigint): void {
  expectClose(actual, fromScaledFraction(storedSf), 17);
}

describe.skipIf(!haveRealAccounts)(`maths on real accounts${ABSENT}`, () => {
  const accounts = haveRealAccounts ? realAccounts() : new Map();
  const raw = (address: Address) => accounts.get(address) ?? { owner: klend, data: new Uint8Array() };
  const market = () => lendingMarket.decode(raw(MARKET), klend);
  const loan = () => obligation.decode(raw(OBLIGATION), klend);
  const accrued = (address: Address, later = 0n) => {
    const account = reserve.decode(raw(address), klend);
    return refreshReserve(account, { slot: account.lastUpdate.slot + later, timestamp: 0n }, market());
  };
  const moment = { slot: 0n, timestamp: 1_730_163_600n, slotDurationMs: integer(450) };

  it.each([SOL, USDC])('the price stored in %s is the oracle price rounded down to 2^-60', (address) => {
    const { account } = accrued(address);
    const oracle = oraclePrices.decode(raw(SCOPE), SCOPE_PROGRAM);
    const refreshed = effectivePrice(
      account,
      { priceRefreshTriggerToMaxAgePct: 0 },
      oracle,
      moment.timestamp,
    );
    expect(refreshed && toScaledFraction(refreshed.usd)).toBe(account.liquidity.marketPriceSf);
    expect(refreshed).toMatchObject({ source: 'SCOPE', checks: account.lastUpdate.priceStatus });
    expect(refreshed && passesAll(refreshed)).toBe(true);
    expect(storedPrice(account, moment.timestamp)).toMatchObject({ asOf: 1_730_163_557n, stale: false });
  });

  it('computes the rates of October 2024', () => {
    const sol = accrued(SOL);
    expect(toDecimalString(sol.utilization).slice(0, 8)).toBe('0.868188');
    expect(toDecimalString(borrowApr(sol, moment)).slice(0, 8)).toBe('0.062242');
    expect(toDecimalString(supplyApr(sol, moment)).slice(0, 8)).toBe('0.045932');
    expect(toDecimalString(borrowApr(accrued(USDC), moment)).slice(0, 8)).toBe('0.107007');
  });

  it('accrues a day of interest to suppliers and debts', () => {
    for (const address of [SOL, USDC]) {
      const [now, later] = [accrued(address), accrued(address, 172_800n)];
      expect(collateralExchangeRate(later).compare(collateralExchangeRate(now))).toBe(-1);
      expect(later.borrowed.compare(now.borrowed)).toBe(1);
      const growth = later.borrowed.div(now.borrowed).toNumber();
      expect(later.cumulativeBorrowRate.div(now.cumulativeBorrowRate).toNumber()).toBeCloseTo(growth, 12);
    }
  });

  it('recomputes the aggregates that the program stored in the obligation', () => {
    const account = loan();
    const terms = collateralTerms(market(), accrued(USDC).account, account.elevationGroup);
    const positions: Positions = {
      elevationGroup: 0,
      deposits: activeDeposits(account).map(({ depositReserve, depositedAmount, marketValueSf }) => ({
        reserve: depositReserve,
        collateral: depositedAmount,
        amount: null,
        priceUsd: null,
        valueUsd: fromScaledFraction(marketValueSf),
        ...terms,
      })),
      borrows: activeBorrows(account).map((borrow) => ({
        reserve: borrow.borrowReserve,
        amount: null,
        priceUsd: null,
        valueUsd: fromScaledFraction(borrow.marketValueSf),
        borrowFactor: null,
        factoredUsd: fromScaledFraction(borrow.borrowFactorAdjustedMarketValueSf),
      })),
    };
    const stats = obligationStats(positions);
    if (stats === null) throw new Error('no stats');
    expectStored(stats.userTotalDeposit, account.depositedValueSf);
    expectStored(stats.userTotalBorrow, account.borrowedAssetsMarketValueSf);
    expectStored(stats.userTotalBorrowBorrowFactorAdjusted, account.borrowFactorAdjustedDebtValueSf);
    expectStored(stats.borrowLimit, account.allowedBorrowValueSf);
    expectStored(stats.borrowLiquidationLimit, account.unhealthyBorrowValueSf);
    expect(healthFactor(stats)?.toNumber()).toBeCloseTo(1.18933, 5);
    expect(bufferToLiquidation(stats)?.toNumber()).toBeCloseTo(0.15919, 5);
    expect(isLiquidatable(stats)).toBe(false);
  });

  it('applies the program’s borrow factor to the SOL debt, and accrues its interest', () => {
    const account = loan();
    const sol = accrued(SOL);
    const debt = activeBorrows(account).find(({ borrowReserve }) => borrowReserve === SOL);
    if (debt === undefined) throw new Error('no SOL debt');
    const factored = fromScaledFraction(debt.marketValueSf).mul(borrowFactor(market(), sol.account, 0));
    expectStored(factored, debt.borrowFactorAdjustedMarketValueSf);
    const growth = debtAmount(debt, sol).div(fromScaledFraction(debt.borrowedAmountSf)).toNumber();
    const slots = Number(sol.at.slot - account.lastUpdate.slot);
    const yearly = ((growth - 1) * 63_072_000) / slots;
    expect(yearly).toBeGreaterThan(0.04);
    expect(yearly).toBeLessThan(0.08);
  });

  it('leaves only the position of a missing reserve empty', () => {
    const known = new Map([SOL, USDC].map((address) => [address, accrued(address)]));
    const { deposits, borrows } = obligationPositions(loan(), market(), (address) => {
      const found = known.get(address);
      return found && { accrued: found, priceUsd: fromScaledFraction(found.account.liquidity.marketPriceSf) };
    });
    expect(deposits.map(({ valueUsd }) => valueUsd?.floor() ?? null)).toEqual([9_582_343n]);
    expect(borrows.map(({ valueUsd }) => valueUsd?.floor() ?? null)).toEqual([null, 4_049_826n]);
    expect(obligationStats({ elevationGroup: 0, deposits, borrows })).toBeNull();
  });
});
