import { farmState } from '@sluice/protocol/farms/farm-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeMint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type FileGateway, numberAt, startFileGateway } from '../support/apps/file-chain-app.ts';
import {
  compounded,
  curveRate,
  expectNear,
  places20,
  published,
  SLOTS_PER_YEAR,
  sf,
  supplySf,
} from '../support/localnet/file-chain-arithmetic.ts';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF' as Address;
const SOL = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q' as Address;
const USDC = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
const OBLIGATION = '4w1qUuYbXpwYkqWzuovJFvP3TRt9EgEzYQv7kYY1nM3J' as Address;
const MISSING_RESERVE = 'H9vmCVd77N1HZa36eBn3UnftYmg4vQzPfm1RxabHAMER' as Address;
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const SOL_FARM = '955xWFhSDcDiUgUr4sBRtCpTLiMd4H5uZLAmgtP3R3sX' as Address;
const SCOPE = '3NJYftD5sjVfxSnUdZ1wVML8f3aC6mp1CXCL6L7TnU8C' as Address;

/** The slot of the USDC reserve's last refresh, so its stored numbers are current; the SOL reserve is 15 slots older. */
const MOMENT = { slot: 298_271_854n, timestamp: 1_730_163_600n };
const SLOT_MS = 400;

const { klend, farms } = MAINNET_PROGRAMS;

describe.skipIf(!haveRealAccounts)(`real accounts through the graph${ABSENT}`, () => {
  const accounts = haveRealAccounts ? realAccounts() : new Map();
  const raw = (address: Address) => {
    const account = accounts.get(address);
    if (account === undefined) throw new Error(`no file for ${address}`);
    return account;
  };
  const decoded = (address: Address) => reserve.decode(raw(address), klend);
  let gateway: FileGateway;
  const ask = (query: string) => gateway.ask(query);

  beforeAll(async () => {
    gateway = await startFileGateway(accounts, MOMENT);
  });

  afterAll(async () => {
    await gateway?.stop();
  });

  it('the market lists its two reserves, by value, and its elevation groups', async () => {
    const { data, errors } = await ask(`{
      market(address: "${MARKET}") {
        programId name borrowingDisabled
        reserves { address }
        totals { suppliedUsd borrowedUsd reserves }
        elevationGroups { number maxLtv liquidationLtv }
      }
      chain { slot slotDurationMs }
    }`);
    expect(errors).toBeUndefined();
    expect(at(data, 'chain')).toEqual({ slot: String(MOMENT.slot), slotDurationMs: String(SLOT_MS) });
    const groups = lendingMarket.decode(raw(MARKET), klend).elevationGroups.filter(({ id }) => id !== 0);
    expect(at(data, 'market')).toMatchObject({
      programId: klend,
      // The account has none: this is the name in the built-in catalogue.
      name: 'Main Market',
      borrowingDisabled: false,
      reserves: [{ address: SOL }, { address: USDC }],
      totals: { reserves: 2 },
    });
    expect(groups.length).toBe(5);
    expect(at(data, 'market.elevationGroups')).toEqual(
      groups.map(({ id, ltvPct, liquidationThresholdPct }) => ({
        number: id,
        maxLtv: String(ltvPct / 100),
        liquidationLtv: String(liquidationThresholdPct / 100),
      })),
    );
    const usdOf = (address: Address, units: bigint, decimals: number) =>
      (sf(units) / 10 ** decimals) * sf(decoded(address).liquidity.marketPriceSf);
    const solUsd = usdOf(SOL, supplySf(decoded(SOL)), 9);
    const usdcUsd = usdOf(USDC, supplySf(decoded(USDC)), 6);
    expect([solUsd, usdcUsd].map((usd) => Math.round(usd / 1e6))).toEqual([628, 72]);
    // Six seconds of interest on the SOL side are below a dollar in ten million.
    expect(numberAt(data, 'market.totals.suppliedUsd') / (solUsd + usdcUsd)).toBeCloseTo(1, 7);
  });

  it('the USDC reserve: its stored values, to the last digit', async () => {
    const { data, errors } = await ask(`{
      reserve(address: "${USDC}") {
        supplied { baseUnits amount usd } borrowed { baseUnits usd } available { baseUnits }
        utilization price { usd asOf stale } cumulativeBorrowRate exchangeRate
        borrowApr supplyApr borrowApy { total base } supplyApy { base }
        token { symbol mint } market { address }
        risk { maxLtv liquidationLtv borrowFactor }
      }
    }`);
    expect(errors).toBeUndefined();
    const { liquidity, collateral, config } = decoded(USDC);
    const supply = supplySf(decoded(USDC));
    const { borrowedAmountSf: borrowed, marketPriceSf: price } = liquidity;
    const cumulative = liquidity.cumulativeBorrowRateBsf.value[0] ?? 0n;
    expect(at(data, 'reserve')).toMatchObject({
      supplied: {
        baseUnits: String(supply >> 60n),
        amount: published(supply, 6),
        usd: published(supply * price, 6, 120),
      },
      // A debt is rounded up.
      borrowed: { baseUnits: String((borrowed >> 60n) + 1n), usd: published(borrowed * price, 6, 120) },
      available: { baseUnits: String(liquidity.totalAvailableAmount) },
      price: { usd: published(price, 0), asOf: '2024-10-29T00:59:17.000Z', stale: false },
      cumulativeBorrowRate: published(cumulative, 0),
      token: { symbol: 'USDC', mint: USDC_MINT },
      market: { address: MARKET },
      risk: { maxLtv: '0.8', liquidationLtv: '0.9', borrowFactor: '1' },
    });
    expect(Math.abs(numberAt(data, 'reserve.price.usd') - 1)).toBeLessThan(0.001);
    expect(String(at(data, 'reserve.utilization')).slice(0, 22)).toBe(places20(borrowed, supply));
    expect(String(at(data, 'reserve.exchangeRate')).slice(0, 22)).toBe(
      places20(collateral.mintTotalSupply << 60n, supply),
    );

    const utilization = Number(borrowed) / Number(supply);
    const curve = (curveRate(decoded(USDC), utilization) * 500) / SLOT_MS;
    const host = ((config.hostFixedInterestRateBps / 10_000) * 500) / SLOT_MS;
    const supplyApr = utilization * curve * (1 - config.protocolTakeRatePct / 100);
    expectNear(at(data, 'reserve.borrowApr'), curve + host);
    expectNear(at(data, 'reserve.supplyApr'), supplyApr);
    expect(numberAt(data, 'reserve.borrowApy.base')).toBeCloseTo(compounded(curve + host), 9);
    expect(numberAt(data, 'reserve.supplyApy.base')).toBeCloseTo(compounded(supplyApr), 9);
    expect(numberAt(data, 'reserve.supplyApy.base')).toBeLessThan(numberAt(data, 'reserve.borrowApy.base'));
  });

  it('the SOL reserve: interest since its last refresh, and the oracle price', async () => {
    const { data, errors } = await ask(`{
      reserve(address: "${SOL}") {
        supplied { baseUnits } borrowed { baseUnits } utilization price { usd }
        token { mint symbol name decimals tokenProgram } collateralToken { mint decimals } borrowApr lastUpdateSlot stale
      }
    }`);
    const account = decoded(SOL);
    const { liquidity, config, lastUpdate } = account;
    const elapsed = Number(MOMENT.slot - lastUpdate.slot);
    expect(elapsed).toBe(15);
    const before = Number(liquidity.borrowedAmountSf) / Number(supplySf(account));
    const growth = (1 + curveRate(account, before) / SLOTS_PER_YEAR) ** elapsed;
    const borrowed = sf(liquidity.borrowedAmountSf) * growth;
    const interest = borrowed - sf(liquidity.borrowedAmountSf);
    const supply = sf(supplySf(account)) + interest * (1 - config.protocolTakeRatePct / 100);
    expectNear(at(data, 'reserve.borrowed.baseUnits'), borrowed);
    expectNear(at(data, 'reserve.supplied.baseUnits'), supply);
    expectNear(at(data, 'reserve.utilization'), borrowed / supply);
    expectNear(at(data, 'reserve.borrowApr'), (curveRate(account, borrowed / supply) * 500) / SLOT_MS);
    expect(numberAt(data, 'reserve.supplied.baseUnits')).toBeGreaterThan(sf(supplySf(account)));

    const feeds = config.tokenInfo.scopeConfiguration.priceChain.filter((feed) => feed !== 65_535);
    const { prices } = oraclePrices.decode(raw(SCOPE), SCOPE_PROGRAM);
    const oracle = feeds.reduce((product, feed) => {
      const entry = prices[feed]?.price;
      return product * (Number(entry?.value ?? 0n) / 10 ** Number(entry?.exp ?? 0n));
    }, 1);
    expectNear(at(data, 'reserve.price.usd'), oracle);
    expect(Math.round(oracle)).toBe(179);
    expect(at(data, 'reserve')).toMatchObject({
      // The program gives every collateral mint six decimals, regardless of the token.
      collateralToken: { mint: account.collateral.mintPubkey, decimals: 6 },
      lastUpdateSlot: String(lastUpdate.slot),
      stale: true,
      // The mint of wrapped SOL is not among the files: its decimals are those of the reserve.
      token: { mint: WRAPPED_SOL_MINT, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9, tokenProgram: null },
    });
    expect(errors).toBeUndefined();
  });

  it('the obligation: a missing reserve fails at its own node only', async () => {
    const { data, errors } = await ask(`{
      obligation(address: "${OBLIGATION}") {
        owner { address } marketAddress tag lastUpdateSlot elevationGroup { number }
        deposits {
          reserveAddress collateral maxLtv liquidationLtv
          reserve { address token { symbol } } amount { baseUnits usd }
        }
        borrows {
          reserveAddress borrowFactor factoredUsd
          reserve { address } amount { baseUnits usd }
        }
        stats { leverage } healthFactor liquidatable
      }
    }`);
    const account = obligation.decode(raw(OBLIGATION), klend);
    const deposit = account.deposits.find(({ depositReserve }) => depositReserve === USDC);
    const debt = account.borrows.find(({ borrowReserve }) => borrowReserve === SOL);
    if (deposit === undefined || debt === undefined) throw new Error('another obligation');
    expect(at(data, 'obligation')).toMatchObject({
      owner: { address: account.owner },
      marketAddress: MARKET,
      tag: 'VANILLA',
      lastUpdateSlot: String(account.lastUpdate.slot),
      elevationGroup: null,
      deposits: [
        {
          reserveAddress: USDC,
          reserve: { address: USDC, token: { symbol: 'USDC' } },
          collateral: published(deposit.depositedAmount, 6, 0),
          maxLtv: '0.8',
          liquidationLtv: '0.9',
        },
      ],
      borrows: [
        {
          reserveAddress: MISSING_RESERVE,
          reserve: null,
          amount: null,
          borrowFactor: null,
          factoredUsd: null,
        },
        { reserveAddress: SOL, reserve: { address: SOL }, borrowFactor: '1.25' },
      ],
      // Values that depend on all positions are unknown, not zero.
      stats: null,
      healthFactor: null,
      liquidatable: null,
    });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['obligation', 'borrows', 0, 'reserve'], 'ACCOUNT_NOT_FOUND'],
    ]);
    expect(errors?.[0]?.message).toContain(MISSING_RESERVE);

    const usdc = decoded(USDC);
    const units =
      Number(deposit.depositedAmount) * (sf(supplySf(usdc)) / Number(usdc.collateral.mintTotalSupply));
    expectNear(at(data, 'obligation.deposits.0.amount.baseUnits'), units);
    expectNear(
      at(data, 'obligation.deposits.0.amount.usd'),
      (units / 1e6) * sf(usdc.liquidity.marketPriceSf),
    );

    const sol = decoded(SOL);
    const utilization = Number(sol.liquidity.borrowedAmountSf) / Number(supplySf(sol));
    const elapsed = Number(MOMENT.slot - sol.lastUpdate.slot);
    const cumulativeNow =
      sf(sol.liquidity.cumulativeBorrowRateBsf.value[0] ?? 0n) *
      (1 + curveRate(sol, utilization) / SLOTS_PER_YEAR) ** elapsed;
    const owed =
      sf(debt.borrowedAmountSf) * (cumulativeNow / sf(debt.cumulativeBorrowRateBsf.value[0] ?? 0n));
    const owedUsd = (owed / 1e9) * sf(sol.liquidity.marketPriceSf);
    expectNear(at(data, 'obligation.borrows.1.amount.baseUnits'), owed);
    expectNear(at(data, 'obligation.borrows.1.amount.usd'), owedUsd);
    expectNear(at(data, 'obligation.borrows.1.factoredUsd'), owedUsd * 1.25);
  });

  it('the token USDC, with the reserve that lends it', async () => {
    const { data, errors } = await ask(`{
      token(mint: "${USDC_MINT}") {
        symbol decimals tokenProgram price { usd } reserves(first: 5) { nodes { address } totalCount }
        vaults(first: 5) { totalCount }
      }
    }`);
    expect(errors).toBeUndefined();
    expect(at(data, 'token')).toMatchObject({
      symbol: 'USDC',
      decimals: decodeMint(raw(USDC_MINT)).decimals,
      tokenProgram: raw(USDC_MINT).owner,
      price: { usd: published(decoded(USDC).liquidity.marketPriceSf, 0) },
      reserves: { nodes: [{ address: USDC }], totalCount: 1 },
      vaults: { totalCount: 0 },
    });
  });

  it('the collateral farm of the SOL reserve: delegated stake, and rewards fully paid out', async () => {
    const { data, errors } = await ask(`{
      reserve(address: "${SOL}") {
        collateralFarm {
          address stakedToken { symbol } totalStaked rewards { perSecond endsAt available { baseUnits } }
        }
        debtFarm { address }
        supplyApy { farmRewards }
      }
    }`);
    expect(errors).toBeUndefined();
    const farm = farmState.decode(raw(SOL_FARM), farms);
    const spent = { perSecond: '0', endsAt: null, available: { baseUnits: '0' } };
    expect(at(data, 'reserve')).toEqual({
      collateralFarm: {
        address: SOL_FARM,
        stakedToken: null,
        totalStaked: String(farm.totalActiveStakeScaled),
        rewards: [spent, spent],
      },
      debtFarm: null,
      supplyApy: { farmRewards: '0' },
    });
    // Nearly all collateral is staked: the lending program stakes for its users.
    const { mintTotalSupply } = decoded(SOL).collateral;
    expect(Number(farm.totalActiveStakeScaled) / Number(mintTotalSupply)).toBeGreaterThan(0.99);
  });
});
