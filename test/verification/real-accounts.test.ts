import { farmState } from '@sluice/protocol/farms/farm-state';
import * as derived from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { readText } from '@sluice/protocol/layout/codec';
import { decodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import {
  MAINNET_PROGRAMS,
  presentAddress,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
const SOL_RESERVE = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q' as Address;
const USDC_RESERVE = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
const OBLIGATION = '4w1qUuYbXpwYkqWzuovJFvP3TRt9EgEzYQv7kYY1nM3J' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const SOL_FARM = '955xWFhSDcDiUgUr4sBRtCpTLiMd4H5uZLAmgtP3R3sX' as Address;
const SCOPE = '3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C' as Address;
const TABLE = '33EucPaS4a588jJJn1Ld3Ka9ye15VpgRLvjVTEPtZLCa' as Address;

const { klend, farms } = MAINNET_PROGRAMS;

describe.skipIf(!haveRealAccounts)(`real accounts${ABSENT}`, () => {
  const accounts = haveRealAccounts ? realAccounts() : new Map();
  const raw = (address: Address) => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error(`no file for ${address}`);
    return account;
  };
  const solReserve = () => reserve.decode(raw(SOL_RESERVE), klend);
  const usdcReserve = () => reserve.decode(raw(USDC_RESERVE), klend);

  it('the market quotes in dollars, and its groups are at the index of their id', () => {
    const market = lendingMarket.decode(raw(MARKET), klend);
    expect(readText(market.quoteCurrency)).toBe('USD');
    // Markets had no names yet in 2024.
    expect(readText(market.name)).toBe('');
    const groups = market.elevationGroups.filter((group) => group.id !== 0);
    expect(groups.map((group) => group.id)).toEqual([1, 2, 3, 4, 5]);
    for (const group of groups) {
      expect(market.elevationGroups[group.id - 1]).toBe(group);
      expect(group.ltvPct).toBeLessThan(group.liquidationThresholdPct);
    }
  });

  it.each([
    ['SOL', SOL_RESERVE, WRAPPED_SOL_MINT, 9n],
    ['USDC', USDC_RESERVE, USDC, 6n],
  ])(
    'the %s reserve belongs to the market and names its mint and decimals',
    (symbol, address, mint, decimals) => {
      const decoded = reserve.decode(raw(address), klend);
      expect(decoded.lendingMarket).toBe(MARKET);
      expect(decoded.liquidity.mintPubkey).toBe(mint);
      expect(decoded.liquidity.mintDecimals).toBe(decimals);
      expect(decoded.liquidity.tokenProgram).toBe(TOKEN_PROGRAM);
      expect(readText(decoded.config.tokenInfo.name)).toBe(symbol);
      const points = decoded.config.borrowRateCurve.points;
      expect(points[0]?.utilizationRateBps).toBe(0);
      expect(points.at(-1)?.utilizationRateBps).toBe(10_000);
    },
  );

  it('supply vaults hold the mint, belong to the market authority and cover the available amount', () => {
    const authority = derived.marketAuthority(klend, MARKET).address;
    for (const decoded of [solReserve(), usdcReserve()]) {
      const vault = decodeTokenAccount(raw(decoded.liquidity.supplyVault));
      expect(vault.mint).toBe(decoded.liquidity.mintPubkey);
      expect(vault.owner).toBe(authority);
      // The vault may hold more than the reserve counts: anyone can send tokens to it.
      expect(vault.amount).toBeGreaterThanOrEqual(decoded.liquidity.totalAvailableAmount);
    }
  });

  it('mints agree with the reserves in decimals and supply', () => {
    expect(decodeMint(raw(USDC)).decimals).toBe(6);
    const collateral = solReserve().collateral;
    const mint = decodeMint(raw(collateral.mintPubkey));
    expect(mint.supply).toBe(collateral.mintTotalSupply);
    expect(mint.mintAuthority).toBe(derived.marketAuthority(klend, MARKET).address);
  });

  it('the farm of the SOL reserve is its collateral farm, delegated to the lending program', () => {
    expect(solReserve().farmCollateral).toBe(SOL_FARM);
    const farm = farmState.decode(raw(SOL_FARM), farms);
    expect(farm.isFarmDelegated).toBe(1);
    expect(farm.numRewardTokens).toBeLessThanOrEqual(10n);
    expect(presentAddress(farm.token.mint)).toBeNull();
  });

  it('the obligation belongs to the market, and its positions add up to its stored totals', () => {
    const decoded = obligation.decode(raw(OBLIGATION), klend);
    expect(decoded.lendingMarket).toBe(MARKET);
    const deposits = decoded.deposits.filter((each) => presentAddress(each.depositReserve) !== null);
    const borrows = decoded.borrows.filter((each) => presentAddress(each.borrowReserve) !== null);
    expect(deposits.map((each) => each.depositReserve)).toEqual([USDC_RESERVE]);
    expect(decoded.deposits.indexOf(deposits[0] as (typeof deposits)[number])).toBe(1);
    expect(borrows.map((each) => each.borrowReserve)).toContain(SOL_RESERVE);
    expect(deposits.reduce((total, each) => total + each.marketValueSf, 0n)).toBe(decoded.depositedValueSf);
    expect(borrows.reduce((total, each) => total + each.marketValueSf, 0n)).toBe(
      decoded.borrowedAssetsMarketValueSf,
    );
    expect(borrows.reduce((total, each) => total + each.borrowFactorAdjustedMarketValueSf, 0n)).toBe(
      decoded.borrowFactorAdjustedDebtValueSf,
    );
    expect(decoded.hasDebt).toBe(1);
  });

  it('the oracle prices at the reserves’ indexes are close to the prices that the reserves stored', () => {
    const prices = oraclePrices.decode(raw(SCOPE), raw(SCOPE).owner);
    for (const decoded of [solReserve(), usdcReserve()]) {
      const chain = decoded.config.tokenInfo.scopeConfiguration.priceChain.filter(
        (index) => index !== 65_535,
      );
      const live = chain.reduce((product, index) => {
        const entry = prices.prices[index];
        return product * (Number(entry?.price.value ?? 0n) / 10 ** Number(entry?.price.exp ?? 0n));
      }, 1);
      const stored = fromScaledFraction(decoded.liquidity.marketPriceSf).toNumber();
      expect(Math.abs(live / stored - 1)).toBeLessThan(0.05);
    }
  });

  it('the lookup table is active and lists addresses in order', () => {
    const table = decodeLookupTable(raw(TABLE));
    expect(table.addresses.length).toBe((4440 - 56) / 32);
    expect(table.addresses).toContain(klend);
    expect(table.deactivationSlot).toBeNull();
  });
});
