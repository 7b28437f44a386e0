import type { Shape } from '../field-shapes.ts';
import type { Ask, ContractRow, Refusal } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';

const NO_ADDRESS = '11111111111111111111111111111111';

const decimals = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'decimal' as const]));
const numbers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'number' as const]));

const REWARD_TOKEN: Shape = { fields: { tokenMint: 'address', apy: 'decimal' } };

export const VAULT_POINT: Shape = {
  fields: {
    timestamp: 'date',
    ...decimals('tvl', 'solTvl', 'apy', 'apyTheoretical', 'apyActual', 'apyFarmRewards'),
    ...decimals('apyReservesIncentives', 'apyIncentives', 'sharePrice'),
    ...decimals('interest', 'interestUsd', 'interestSol'),
    reserves: {
      list: {
        fields: {
          pubkey: 'address',
          ...decimals('supplyApy', 'rewardsApy', 'allocationRatio'),
          rewardTokens: { list: REWARD_TOKEN },
        },
      },
    },
    vaultRewards: { list: REWARD_TOKEN },
  },
};

const RESERVE_HISTORY: Shape = {
  fields: {
    reserve: 'address',
    market: 'address',
    history: {
      list: {
        fields: {
          timestamp: 'date',
          metrics: {
            fields: {
              ...numbers('decimals', 'loanToValue', 'borrowFactor', 'protocolTakeRate'),
              ...numbers('borrowInterestAPY', 'supplyInterestAPY', 'maxLiquidationBonus'),
              ...numbers('minLiquidationBonus', 'liquidationThreshold'),
              ...numbers('borrowLimitCrossedTimestamp', 'depositLimitCrossedTimestamp'),
              status: 'label',
              symbol: 'label',
              mintAddress: 'address',
              ...decimals('borrowTvl', 'depositTvl', 'totalSupply', 'totalBorrows', 'totalLiquidity'),
              ...decimals('mintTotalSupply', 'exchangeRate', 'assetPriceUSD', 'assetOraclePriceUSD'),
              ...decimals('reserveBorrowLimit', 'reserveDepositLimit', 'hostFixedInterestRate'),
              ...decimals('accumulatedProtocolFees', 'borrowOutsideElevationGroup'),
              borrowLimitOutsideElevationGroup: 'decimal',
              borrowCurve: { list: { list: 'number', length: 2 } },
              borrowedAgainstCollateralInElevationGroups: { list: 'decimal' },
              borrowLimitAgainstCollateralInElevationGroups: { list: 'decimal' },
            },
          },
        },
      },
    },
  },
};

const MARKET_POINT: Shape = {
  fields: {
    market: 'address',
    timestamp: 'date',
    metrics: { fields: { borrowTVL: 'decimal', depositTVL: 'decimal', obligations: 'integer' } },
  },
};

const LEVERAGE: Shape = {
  fields: {
    ...decimals('avgLeverage', 'totalBorrowed', 'totalDeposited', 'totalBorrowedUsd', 'totalDepositedUsd'),
    totalObligations: 'integerString',
    tvl: 'decimal',
    updatedOn: 'date',
    depositReserve: 'address',
    borrowReserve: 'address',
    tag: { oneOf: ['Multiply', 'Leverage'] },
  },
};

const REWARD_POINT: Shape = {
  fields: {
    timestamp: 'date',
    depositReserve: { nullable: 'address' },
    borrowReserve: { nullable: 'address' },
    rewardToken: 'address',
    rewardApy: 'decimal',
  },
};

/** Every date format of the contract, and ranges with and without points. */
const RANGES = [
  '',
  '?start=2026-05-30T00:00:00.000Z',
  '?start=2026-05-30T00:00Z&end=2026-05-31',
  '?start=2026-05-30T02:00:00%2B02:00&end=1780185600000',
  '?start=1780099200000',
  '?start=0&end=2100-01-01',
  '?start=2020-01-01&end=2020-01-01',
  '?start=2020-01-01&end=2021-01-01',
];

const inRanges = (url: string): Ask[] => RANGES.map((query) => ({ url: `${url}${query}` }));

/** Invalid ranges. */
const wrongRange = (url: string): Refusal[] =>
  (
    [
      ['no date', '?start=yesterday', 'start'],
      ['a day that is not', '?end=2026-02-30', 'end'],
      ['an empty date', '?start=', 'start'],
      ['reversed', '?start=2026-02-01&end=2026-01-01', 'start'],
      ['in the future', '?start=2100-01-01', 'start'],
    ] as const
  ).map(([name, query, at]) => ({
    name,
    ask: { url: `${url}${query}` },
    status: 400,
    code: 'BAD_REQUEST',
    at,
  }));

const vault = (pubkey: string) => `/kvaults/vaults/${pubkey}/metrics/history`;
const reserve = (market: string, pubkey: string) =>
  `/svc-market/${market}/reserves/${pubkey}/metrics/history`;
const market = (pubkey: string) => `/svc-market/${pubkey}/metrics/history`;
const leverage = (pubkey: string) => `/svc-market/${pubkey}/leverage/metrics`;
const rewards = (deposit: string, borrow: string) => `/klend/${deposit}/${borrow}/rewards/history`;

const noAddress = (url: string, at: string): Refusal => ({
  name: `no address: ${at}`,
  ask: { url },
  status: 400,
  code: 'BAD_REQUEST',
  at,
});
const wrongFrequency = (url: string, frequency: string): Refusal => ({
  name: `frequency=${frequency}`,
  ask: { url: `${url}?frequency=${frequency}` },
  status: 400,
  code: 'BAD_REQUEST',
  at: 'frequency',
});

export const HISTORY_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: vault('{pubkey}'),
    answer: { list: VAULT_POINT },
    asks: ({ vaults, addresses }) => [
      ...inRanges(vault(addresses.vault)),
      ...vaults.map(({ address }) => ({ url: vault(address) })),
    ],
    refusals: ({ addresses }) => [
      noAddress(vault('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: vault(addresses.emptyWallet) }, status: 404 },
      { name: 'a market', ask: { url: vault(addresses.market) }, status: 404 },
      ...wrongRange(vault(addresses.vault)),
    ],
  },
  {
    method: 'get',
    path: reserve('{marketPubkey}', '{reservePubkey}'),
    answer: RESERVE_HISTORY,
    asks: ({ reserves, addresses: { market: of, depositReserve, emptyWallet } }) => [
      ...inRanges(reserve(of, depositReserve)),
      ...['minute', 'hour', 'day'].map((frequency) => ({
        url: `${reserve(of, depositReserve)}?env=localnet&frequency=${frequency}`,
      })),
      ...reserves.slice(0, 5).map((each) => ({ url: reserve(each.market, each.address) })),
      { url: reserve(emptyWallet, depositReserve) },
    ],
    refusals: ({ addresses: { market: of, depositReserve } }) => [
      noAddress(reserve('nonsense', depositReserve), 'marketPubkey'),
      noAddress(reserve(of, 'nonsense'), 'reservePubkey'),
      wrongFrequency(reserve(of, depositReserve), 'week'),
      ...wrongRange(reserve(of, depositReserve)),
      ...wrongEnv(reserve(of, depositReserve)),
    ],
  },
  {
    method: 'get',
    path: market('{pubkey}'),
    answer: { list: MARKET_POINT },
    asks: ({ markets, addresses }) => [
      ...inRanges(market(addresses.market)),
      ...markets.map((each) => ({ url: `${market(each)}?env=localnet` })),
    ],
    refusals: ({ addresses }) => [
      noAddress(market('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: market(addresses.emptyWallet) }, status: 400 },
      ...wrongRange(market(addresses.market)),
      ...wrongEnv(market(addresses.market)),
    ],
  },
  {
    method: 'get',
    path: leverage('{pubkey}'),
    answer: { list: LEVERAGE },
    asks: ({ markets }) => markets.map((each) => ({ url: leverage(each) })),
    refusals: ({ addresses }) => [
      noAddress(leverage('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: leverage(addresses.emptyWallet) }, status: 400 },
      ...wrongEnv(leverage(addresses.market)),
    ],
  },
  {
    method: 'get',
    path: rewards('{depositReservePubkey}', '{borrowReservePubkey}'),
    answer: { list: REWARD_POINT },
    asks: ({ reserves, addresses: { depositReserve, borrowReserve } }) => [
      ...inRanges(rewards(depositReserve, NO_ADDRESS)),
      ...reserves
        .slice(0, 4)
        .flatMap(({ address }) => [
          { url: `${rewards(address, NO_ADDRESS)}?frequency=day` },
          { url: `${rewards(NO_ADDRESS, address)}?frequency=day` },
        ]),
      { url: rewards(depositReserve, borrowReserve) },
      { url: rewards(NO_ADDRESS, NO_ADDRESS) },
    ],
    refusals: ({ addresses: { depositReserve } }) => [
      noAddress(rewards('nonsense', NO_ADDRESS), 'depositReservePubkey'),
      noAddress(rewards(NO_ADDRESS, 'nonsense'), 'borrowReservePubkey'),
      wrongFrequency(rewards(depositReserve, NO_ADDRESS), 'minute'),
      ...wrongRange(rewards(depositReserve, NO_ADDRESS)),
    ],
  },
];
