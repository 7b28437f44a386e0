import { z } from '@hono/zod-openapi';
import { MAX_PAGE_SIZE } from '../../services/paging/paging.ts';
import { address, addressOut } from '../values/address.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { onceInteger } from '../values/query-values.ts';

export const VaultParams = z.object({ pubkey: address('Address of the vault.') });

const NONE = '11111111111111111111111111111111 when there is none';
const numberOut = (description: string) => z.number().openapi({ description });
const secondsOut = (description: string) => numberOut(`${description}, in Unix seconds.`);

const VaultAllocation = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    ctokenVault: addressOut(
      'Token account that holds the vault\u2019s collateral tokens (cTokens) of the reserve.',
    ),
    targetAllocationWeight: numberOut('Target weight, relative to the other allocations. A whole number.'),
    tokenAllocationCap: integerOut('Maximum that may be invested in the reserve, in base units.'),
    ctokenVaultBump: numberOut('Bump seed of `ctokenVault`.'),
    ctokenAllocation: integerOut('Collateral tokens (cTokens) that the vault holds, in base units.'),
    lastInvestSlot: integerOut('Slot of the last investment.'),
    tokenTargetAllocation: decimalOut('Target amount according to the weights, in base units.'),
  })
  .openapi('VaultAllocation');

const VaultState = z
  .strictObject({
    vaultAdminAuthority: addressOut('Admin of the vault.'),
    baseVaultAuthority: addressOut('Address that owns the token accounts of the vault.'),
    baseVaultAuthorityBump: numberOut('Bump seed of `baseVaultAuthority`.'),
    tokenMint: addressOut('Mint of the deposit token.'),
    tokenMintDecimals: numberOut('Decimals of the deposit token.'),
    tokenVault: addressOut('Token account that holds the idle tokens.'),
    tokenProgram: addressOut('Token program of the deposit token.'),
    sharesMint: addressOut('Mint of the shares.'),
    sharesMintDecimals: numberOut('Decimals of the shares.'),
    tokenAvailable: integerOut('Idle tokens, in base units.'),
    sharesIssued: integerOut('Shares issued, in base units.'),
    availableCrankFunds: integerOut('Funds that pay for investing (crank funds), in base units.'),
    performanceFeeBps: numberOut('Performance fee on interest, in basis points.'),
    managementFeeBps: numberOut('Management fee on the total value, in basis points per year.'),
    lastFeeChargeTimestamp: secondsOut('Time when fees were last charged'),
    prevAum: decimalOut('Total value when fees were last charged, in base units.'),
    pendingFees: decimalOut('Fees charged but not yet withdrawn, in base units.'),
    vaultAllocationStrategy: z
      .array(VaultAllocation)
      .openapi({ description: 'The used entries of the allocation strategy.' }),
    minDepositAmount: integerOut('Minimum deposit, in base units.'),
    minWithdrawAmount: integerOut('Minimum withdrawal, in base units.'),
    minInvestAmount: integerOut('Minimum investment, in base units.'),
    minInvestDelaySlots: numberOut('Minimum number of slots between investments.'),
    crankFundFeePerReserve: integerOut(
      'Fee that a deposit pays per reserve to fund investing, in base units.',
    ),
    pendingAdmin: addressOut(`Address that may become the admin. ${NONE}.`),
    cumulativeEarnedInterest: decimalOut('Interest earned until fees were last charged, in base units.'),
    cumulativeMgmtFees: decimalOut('Management fees until they were last charged, in base units.'),
    cumulativePerfFees: decimalOut('Performance fees until they were last charged, in base units.'),
    name: z.string().openapi({ description: 'Name of the vault. May be empty.' }),
    vaultLookupTable: addressOut(`Lookup table of the vault. ${NONE}.`),
    vaultFarm: addressOut(`Farm in which shares can be staked. ${NONE}.`),
    creationTimestamp: secondsOut('Time of creation'),
    allocationAdmin: addressOut(`Address that may change the allocation strategy. ${NONE}.`),
  })
  .openapi('VaultState', {
    description:
      'The account as stored on chain, without the fields that its programs added since kvault 2.2: `depositCap`, `permissioningAuthority` and the `ctokenAllocationCap` of each allocation are in the graph, in `Vault.state`.',
  });

export const Vault = z
  .strictObject({
    address: addressOut('Address of the vault.'),
    state: VaultState,
    programId: addressOut('The vault program that owns the account.'),
    nameVerified: z.boolean().openapi({
      description:
        'Whether the catalogue of this deployment names the admin of the vault, who sets `state.name`. When false, the name proves nothing: see `/kvaults/curators`. An addition of this gateway.',
    }),
  })
  .openapi('Vault');

const apyOut = (description: string) => decimalOut(`${description} Per year, as a fraction.`);
const realised = (window: string) =>
  apyOut(
    `Realised yield: the growth of the share price over ${window}, or over recorded history if that is shorter. "0" without recorded history.`,
  );

/** Three fields with the same amount in tokens, USD and SOL. */
function inThree<const N extends string>(name: N, what: string) {
  return {
    [name]: decimalOut(`${what}, in whole tokens.`),
    [`${name}Usd`]: decimalOut(`${what}, in USD. "0" when the token has no price.`),
    [`${name}Sol`]: decimalOut(`${what}, in SOL. "0" when a price is unknown.`),
  } as Record<N | `${N}Usd` | `${N}Sol`, z.ZodString>;
}

export const VaultMetrics = z
  .strictObject({
    apy24h: realised('24 hours'),
    apy7d: realised('7 days'),
    apy30d: realised('30 days'),
    apy90d: realised('90 days'),
    apy180d: realised('180 days'),
    apy365d: realised('365 days'),
    apy: apyOut(
      'Yield after fees from interest alone, equal to `apyTheoretical`. The yields of rewards come on top of it.',
    ),
    apyTheoretical: apyOut(
      'Yield after fees from interest alone, if every token were invested at the target weights.',
    ),
    apyActual: apyOut('Yield after fees from interest alone, at the current allocation.'),
    apyFarmRewards: apyOut('Yield from the vault\u2019s farm, for staked shares.'),
    apyIncentives: apyOut('Yield from reward campaigns of the vault.'),
    apyReservesIncentives: apyOut(
      'Yield from reward campaigns of its reserves, weighted by the amount invested in each.',
    ),
    tokenPrice: decimalOut('Price of the deposit token in USD. "0" when unknown.'),
    solPrice: decimalOut('Price of SOL in USD. "0" when unknown.'),
    tokensAvailable: decimalOut('Idle tokens, in whole tokens.'),
    tokensAvailableUsd: decimalOut('Idle tokens in USD. "0" when the token has no price.'),
    tokensInvested: decimalOut('Tokens invested in reserves, with interest, in whole tokens.'),
    tokensInvestedUsd: decimalOut('Invested tokens in USD. "0" when the token has no price.'),
    sharePrice: decimalOut('Value of one share in USD: `tokensPerShare` x `tokenPrice`.'),
    tokensPerShare: decimalOut('Value of one share in whole tokens. "0" when no shares are issued.'),
    sharesIssued: decimalOut('Shares issued, in whole shares.'),
    numberOfHolders: z
      .number()
      .openapi({ description: 'Number of wallets that hold shares. 0 without recorded history.' }),
    ...inThree('cumulativeInterestEarned', 'Interest earned since the vault was created, before fees'),
    ...inThree('interestEarnedPerSecond', 'Interest per second at the current allocation, before fees'),
    ...inThree('cumulativePerformanceFees', 'Performance fees since the vault was created'),
    ...inThree('cumulativeManagementFees', 'Management fees since the vault was created'),
  })
  .openapi('VaultMetrics');

/** Not `VaultMetrics.extend`: its `allOf` would combine two schemas that each reject the fields of the other. */
export const ListedVaultMetrics = z
  .strictObject({ kvault: addressOut('Address of the vault.'), ...VaultMetrics.shape })
  .openapi('ListedVaultMetrics');

export const VaultMetricsQuery = z.object({
  limit: onceInteger(1, MAX_PAGE_SIZE, MAX_PAGE_SIZE, 'Maximum number of vaults in the answer.'),
  paginationToken: paginationToken(),
});

export const VaultMetricsPage = z
  .strictObject({
    result: z.array(ListedVaultMetrics).openapi({ description: 'Metrics by vault, most valuable first.' }),
    paginationToken: nextToken(),
  })
  .openapi('VaultMetricsPage');
