import type { Amount, NullRule, ParityRow } from './parity-row.ts';

type State = Readonly<Record<string, unknown>> & {
  readonly vaultAllocationStrategy: readonly Readonly<Record<string, unknown>>[];
};

interface GraphVault {
  readonly address: string;
  readonly programId: string;
  readonly state: State;
}

/** Fields that REST writes as numbers and the graph, which has 64-bit integers as strings, does not. */
const NUMBERS = [
  'baseVaultAuthorityBump',
  'tokenMintDecimals',
  'sharesMintDecimals',
  'performanceFeeBps',
  'managementFeeBps',
  'lastFeeChargeTimestamp',
  'minInvestDelaySlots',
  'creationTimestamp',
  'targetAllocationWeight',
  'ctokenVaultBump',
];

const VAULT = `address programId state {
  vaultAdminAuthority baseVaultAuthority baseVaultAuthorityBump tokenMint tokenMintDecimals tokenVault tokenProgram
  sharesMint sharesMintDecimals tokenAvailable sharesIssued availableCrankFunds performanceFeeBps managementFeeBps
  lastFeeChargeTimestamp prevAum pendingFees minDepositAmount minWithdrawAmount minInvestAmount minInvestDelaySlots
  crankFundFeePerReserve pendingAdmin cumulativeEarnedInterest cumulativeMgmtFees cumulativePerfFees name
  vaultLookupTable vaultFarm creationTimestamp allocationAdmin
  vaultAllocationStrategy {
    reserve ctokenVault targetAllocationWeight tokenAllocationCap ctokenVaultBump ctokenAllocation lastInvestSlot
    tokenTargetAllocation
  }
}`;

const withNumbers = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]),
  );

const restVault = ({ address, programId, state }: GraphVault) => ({
  address,
  programId,
  state: {
    ...withNumbers(state),
    vaultAllocationStrategy: state.vaultAllocationStrategy.map(withNumbers),
  },
});

const AMOUNT = '{ amount usd sol }';
const METRIC_FIELDS = `address token { price { usd } }
  currentApy { base farmRewards incentives reserveRewards }
  ${['H24', 'D7', 'D30', 'D90', 'D180', 'D365']
    .map((period) => `${period.toLowerCase()}: realisedInterestApy(over: ${period}) { apy }`)
    .join(' ')}
  theoreticalApy { base } holders
  idle ${AMOUNT} invested ${AMOUNT} tokensPerShare sharePriceUsd sharesIssued
  interest { earned ${AMOUNT} perSecond ${AMOUNT} }
  fees { cumulativePerformance ${AMOUNT} cumulativeManagement ${AMOUNT} }`;
const METRICS = `query ($address: Address!, $sol: Address!) {
  sol: token(mint: $sol) { price { usd } }
  vault(address: $address) { ${METRIC_FIELDS} }
}`;
const METRICS_PAGE = `query ($first: Int!, $sol: Address!) {
  sol: token(mint: $sol) { price { usd } }
  vaults(first: $first) { nodes { ${METRIC_FIELDS} } pageInfo { hasNextPage endCursor } }
}`;
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

type Realised = Readonly<
  Record<'h24' | 'd7' | 'd30' | 'd90' | 'd180' | 'd365', { readonly apy: string } | null>
>;

interface GraphMetrics {
  readonly sol: { readonly price: { readonly usd: string } | null };
  readonly vault: Realised & {
    readonly address: string;
    readonly holders: number | null;
    readonly token: { readonly price: { readonly usd: string } | null };
    readonly currentApy: Readonly<
      Record<'base' | 'farmRewards' | 'incentives' | 'reserveRewards', string>
    > | null;
    readonly theoreticalApy: { readonly base: string } | null;
    readonly idle: Amount;
    readonly invested: Amount | null;
    readonly tokensPerShare: string | null;
    readonly sharePriceUsd: string | null;
    readonly sharesIssued: string;
    readonly interest: { readonly earned: Amount; readonly perSecond: Amount | null };
    readonly fees: Readonly<Record<'cumulativePerformance' | 'cumulativeManagement', Amount>>;
  };
}

interface GraphMetricsPage extends Pick<GraphMetrics, 'sol'> {
  readonly vaults: {
    readonly nodes: readonly GraphMetrics['vault'][];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** An amount as three fields. */
const valued = (name: string, amount: Amount | null, rule: NullRule) => ({
  [name]: rule.decimal(amount?.amount),
  [`${name}Usd`]: rule.decimal(amount?.usd),
  [`${name}Sol`]: rule.decimal(amount?.sol),
});

function restMetrics({ sol, vault }: GraphMetrics, rule: NullRule) {
  const { currentApy: apy, fees, interest, idle, invested } = vault;
  return {
    apy24h: rule.decimal(vault.h24?.apy),
    apy7d: rule.decimal(vault.d7?.apy),
    apy30d: rule.decimal(vault.d30?.apy),
    apy90d: rule.decimal(vault.d90?.apy),
    apy180d: rule.decimal(vault.d180?.apy),
    apy365d: rule.decimal(vault.d365?.apy),
    numberOfHolders: rule.count(vault.holders),
    // Interest alone, where the graph’s total has the rewards too.
    apy: rule.decimal(vault.theoreticalApy?.base),
    apyActual: rule.decimal(apy?.base),
    apyTheoretical: rule.decimal(vault.theoreticalApy?.base),
    apyFarmRewards: rule.decimal(apy?.farmRewards),
    apyIncentives: rule.decimal(apy?.incentives),
    apyReservesIncentives: rule.decimal(apy?.reserveRewards),
    tokenPrice: rule.decimal(vault.token.price?.usd),
    solPrice: rule.decimal(sol.price?.usd),
    tokensAvailable: idle.amount,
    tokensAvailableUsd: rule.decimal(idle.usd),
    tokensInvested: rule.decimal(invested?.amount),
    tokensInvestedUsd: rule.decimal(invested?.usd),
    sharePrice: rule.decimal(vault.sharePriceUsd),
    tokensPerShare: rule.decimal(vault.tokensPerShare),
    sharesIssued: vault.sharesIssued,
    ...valued('cumulativeInterestEarned', interest.earned, rule),
    ...valued('interestEarnedPerSecond', interest.perSecond, rule),
    ...valued('cumulativePerformanceFees', fees.cumulativePerformance, rule),
    ...valued('cumulativeManagementFees', fees.cumulativeManagement, rule),
  };
}

export const VAULT_PARITY: readonly ParityRow[] = [
  {
    path: '/kvaults/vaults',
    sortBy: 'address',
    cases: () => [{ url: '/kvaults/vaults', variables: {} }],
    async twin(graph) {
      const document = `{ vaults(first: 100) { nodes { ${VAULT} } } }`;
      const { vaults } = await graph<{ vaults: { nodes: GraphVault[] } }>(document);
      return vaults.nodes.map(restVault);
    },
  },
  {
    path: '/kvaults/vaults/{pubkey}',
    cases: ({ vaults }) =>
      vaults.map(({ address }) => ({ url: `/kvaults/vaults/${address}`, variables: { address } })),
    async twin(graph, variables) {
      const document = `query ($address: Address!) { vault(address: $address) { ${VAULT} } }`;
      return restVault((await graph<{ vault: GraphVault }>(document, variables)).vault);
    },
  },
  {
    path: '/kvaults/vaults/{pubkey}/metrics',
    cases: ({ vaults }) =>
      vaults.map(({ address }) => ({ url: `/kvaults/vaults/${address}/metrics`, variables: { address } })),
    async twin(graph, variables, rule) {
      return restMetrics(await graph<GraphMetrics>(METRICS, { ...variables, sol: WRAPPED_SOL }), rule);
    },
  },
  {
    path: '/kvaults/vaults/metrics',
    cases: () => [
      { url: '/kvaults/vaults/metrics', variables: { first: 100 } },
      { url: '/kvaults/vaults/metrics?limit=3', variables: { first: 3 } },
    ],
    async twin(graph, variables, rule) {
      const { sol, vaults } = await graph<GraphMetricsPage>(METRICS_PAGE, { ...variables, sol: WRAPPED_SOL });
      const { hasNextPage, endCursor } = vaults.pageInfo;
      return {
        result: vaults.nodes.map((vault) => ({
          kvault: vault.address,
          ...restMetrics({ sol, vault }, rule),
        })),
        ...(hasNextPage ? { paginationToken: endCursor } : {}),
      };
    },
  },
];
