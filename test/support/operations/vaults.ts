import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

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

const VAULT: Shape = {
  fields: {
    address: 'address',
    programId: 'address',
    nameVerified: 'boolean',
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

type State = Readonly<Record<string, unknown>> & {
  readonly vaultAllocationStrategy: readonly Readonly<Record<string, unknown>>[];
};

interface GraphVault {
  readonly address: string;
  readonly programId: string;
  readonly nameVerified: boolean;
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

const FIELDS = `address programId nameVerified state {
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

const restVault = ({ address, programId, nameVerified, state }: GraphVault) => ({
  address,
  programId,
  nameVerified,
  state: {
    ...withNumbers(state),
    vaultAllocationStrategy: state.vaultAllocationStrategy.map(withNumbers),
  },
});

/** An operation on one vault. Its GraphQL equivalent has the vault's address as a variable. */
export function vaultRow(path: string, answer: Shape, twin: NonNullable<OperationRow['twin']>): OperationRow {
  const of = (pubkey: string) => path.replace('{pubkey}', pubkey);
  return {
    method: 'get',
    path,
    answer,
    requests: ({ vaults }) => vaults.map(({ address }) => ({ url: of(address), variables: { address } })),
    refusals: ({ addresses: { emptyWallet, market, sharesMint } }) => [
      badRequest('no address', of('nonsense'), 'pubkey'),
      badRequest('31 bytes', of('1'.repeat(31)), 'pubkey'),
      { name: 'nothing there', ask: { url: of(emptyWallet) }, status: 404 },
      { name: 'a market', ask: { url: of(market) }, status: 404 },
      { name: 'a mint', ask: { url: of(sharesMint) }, status: 404 },
    ],
    twin,
  };
}

export const VAULT_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: '/kvaults/vaults',
    answer: { list: VAULT },
    requests: () => [{ url: '/kvaults/vaults', variables: {} }],
    refusals: () => [],
    sortBy: 'address',
    async twin(graph) {
      const document = `{ vaults(first: 100) { nodes { ${FIELDS} } } }`;
      const { vaults } = await graph<{ vaults: { nodes: GraphVault[] } }>(document);
      return vaults.nodes.map(restVault);
    },
  },
  vaultRow('/kvaults/vaults/{pubkey}', VAULT, async (graph, variables) => {
    const document = `query ($address: Address!) { vault(address: $address) { ${FIELDS} } }`;
    return restVault((await graph<{ vault: GraphVault }>(document, variables)).vault);
  }),
];
