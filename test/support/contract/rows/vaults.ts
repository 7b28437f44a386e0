import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';

const decimals = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'decimal' as const]));

const ALLOCATION: Shape = {
  fields: {
    reserve: 'address',
    ctokenVault: 'address',
    targetAllocationWeight: 'integer',
    tokenAllocationCap: 'integerString',
    ctokenVaultBump: 'integer',
    ctokenAllocation: 'integerString',
    lastInvestSlot: 'integerString',
    tokenTargetAllocation: 'decimal',
  },
};

export const VAULT: Shape = {
  fields: {
    address: 'address',
    programId: 'address',
    state: {
      fields: {
        vaultAdminAuthority: 'address',
        baseVaultAuthority: 'address',
        baseVaultAuthorityBump: 'integer',
        tokenMint: 'address',
        tokenMintDecimals: 'integer',
        tokenVault: 'address',
        tokenProgram: 'address',
        sharesMint: 'address',
        sharesMintDecimals: 'integer',
        tokenAvailable: 'integerString',
        sharesIssued: 'integerString',
        availableCrankFunds: 'integerString',
        performanceFeeBps: 'integer',
        managementFeeBps: 'integer',
        lastFeeChargeTimestamp: 'integer',
        prevAum: 'decimal',
        pendingFees: 'decimal',
        vaultAllocationStrategy: { list: ALLOCATION },
        minDepositAmount: 'integerString',
        minWithdrawAmount: 'integerString',
        minInvestAmount: 'integerString',
        minInvestDelaySlots: 'integer',
        crankFundFeePerReserve: 'integerString',
        pendingAdmin: 'address',
        cumulativeEarnedInterest: 'decimal',
        cumulativeMgmtFees: 'decimal',
        cumulativePerfFees: 'decimal',
        name: 'string',
        vaultLookupTable: 'address',
        vaultFarm: 'address',
        creationTimestamp: 'integer',
        allocationAdmin: 'address',
      },
    },
  },
};

export const VAULT_METRICS = {
  fields: {
    ...decimals('apy24h', 'apy7d', 'apy30d', 'apy90d', 'apy180d', 'apy365d'),
    ...decimals('apy', 'apyTheoretical', 'apyActual', 'apyFarmRewards', 'apyIncentives'),
    ...decimals('apyReservesIncentives', 'tokenPrice', 'solPrice'),
    ...decimals('tokensAvailable', 'tokensAvailableUsd', 'tokensInvested', 'tokensInvestedUsd'),
    ...decimals('sharePrice', 'tokensPerShare', 'sharesIssued'),
    numberOfHolders: 'integer',
    ...decimals('cumulativeInterestEarned', 'cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecond', 'interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
    ...decimals('cumulativePerformanceFees', 'cumulativePerformanceFeesUsd', 'cumulativePerformanceFeesSol'),
    ...decimals('cumulativeManagementFees', 'cumulativeManagementFeesUsd', 'cumulativeManagementFeesSol'),
  },
} as const satisfies Shape;

const ALLOCATIONS: Shape = {
  fields: {
    asOf: 'date',
    ...decimals('capitalDeployedUsd', 'utilizationRatio'),
    allocations: {
      list: {
        fields: {
          reserve: 'address',
          market: 'address',
          marketName: 'string',
          tokenMint: 'address',
          symbol: 'label',
          ...decimals('targetWeightPct', 'actualPct', 'suppliedTokenAmount', 'suppliedUsd'),
          ...decimals('capTokenAmount', 'utilizationRatio', 'supplyApy', 'rewardsApy'),
          collateral: { list: 'label' },
        },
      },
    },
    unallocated: { fields: decimals('tokenAmount', 'usd', 'pct') },
  },
};

const EARNED: Shape = { fields: decimals('usd', 'sol') };

export const SUMMARY: Shape = {
  fields: {
    earnings: { fields: { interest: EARNED, rewards: EARNED, reserveRewards: EARNED, total: EARNED } },
  },
};

function vaultRow(path: string, answer: Shape): ContractRow {
  const of = (pubkey: string) => ({ url: path.replace('{pubkey}', pubkey) });
  const missing = { status: 404 };
  return {
    method: 'get',
    path,
    answer,
    asks: ({ vaults }) => vaults.map(({ address }) => of(address)),
    refusals: ({ addresses }) => [
      { name: 'no address', ask: of('nonsense'), status: 400, code: 'BAD_REQUEST', at: 'pubkey' },
      { name: '31 bytes', ask: of('1'.repeat(31)), status: 400, code: 'BAD_REQUEST', at: 'pubkey' },
      { name: 'nothing there', ask: of(addresses.emptyWallet), ...missing },
      { name: 'a market', ask: of(addresses.market), ...missing },
      { name: 'a mint', ask: of(addresses.sharesMint), ...missing },
    ],
  };
}

export const VAULT_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: '/kvaults/vaults',
    answer: { list: VAULT },
    asks: () => [{ url: '/kvaults/vaults' }],
    refusals: () => [],
  },
  {
    method: 'get',
    path: '/kvaults/vaults/metrics',
    answer: {
      fields: {
        result: { list: { fields: { kvault: 'address', ...VAULT_METRICS.fields } } },
        'paginationToken?': 'label',
      },
    },
    asks: () => ['', '?limit=1', '?limit=100'].map((query) => ({ url: `/kvaults/vaults/metrics${query}` })),
    refusals: () =>
      [
        ['limit', '0'],
        ['limit', '101'],
        ['paginationToken', 'nonsense'],
        ['paginationToken', ''],
      ].map(([at = '', value]) => ({
        name: `${at}=${value}`,
        ask: { url: `/kvaults/vaults/metrics?${at}=${value}` },
        status: 400,
        code: 'BAD_REQUEST',
        at,
      })),
  },
  vaultRow('/kvaults/vaults/{pubkey}', VAULT),
  vaultRow('/kvaults/vaults/{pubkey}/metrics', VAULT_METRICS),
  vaultRow('/kvaults/vaults/{pubkey}/allocations', ALLOCATIONS),
  {
    method: 'get',
    path: '/kvaults/summary',
    answer: SUMMARY,
    asks: () =>
      ['', '?type=default', '?type=private-credit'].map((query) => ({ url: `/kvaults/summary${query}` })),
    refusals: () =>
      ['other', 'DEFAULT', ''].map((type) => ({
        name: `type=${type}`,
        ask: { url: `/kvaults/summary?type=${type}` },
        status: 400,
        code: 'BAD_REQUEST',
        at: 'type',
      })),
  },
];
