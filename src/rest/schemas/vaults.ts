import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { decimalOut, integerOut } from './decimal.ts';

export const VaultParams = z.object({ pubkey: address('Vault.') });

const NONE = '11111111111111111111111111111111 when there is none';
const numberOut = (description: string) => z.number().openapi({ description });
const secondsOut = (description: string) => numberOut(`${description}, unix seconds.`);

const VaultAllocation = z.strictObject({
  reserve: addressOut('Reserve that the vault lends in.'),
  ctokenVault: addressOut('Account with the vault\u2019s collateral tokens of the reserve.'),
  targetAllocationWeight: numberOut('Weight among all allocations, a whole number.'),
  tokenAllocationCap: integerOut('Most tokens that may be invested here, base units.'),
  ctokenVaultBump: numberOut('Bump seed of `ctokenVault`.'),
  ctokenAllocation: integerOut('Collateral tokens that the vault holds, base units.'),
  lastInvestSlot: integerOut('Slot of the last investment.'),
  tokenTargetAllocation: decimalOut('Tokens that should be here by weight, base units.'),
});

const VaultState = z.strictObject({
  vaultAdminAuthority: addressOut('Who administers it.'),
  baseVaultAuthority: addressOut('The address that owns its accounts.'),
  baseVaultAuthorityBump: numberOut('Bump seed of `baseVaultAuthority`.'),
  tokenMint: addressOut('Mint of the deposit token.'),
  tokenMintDecimals: numberOut('Decimals of the deposit token.'),
  tokenVault: addressOut('Account with its idle tokens.'),
  tokenProgram: addressOut('Token program of the deposit token.'),
  sharesMint: addressOut('Mint of its shares.'),
  sharesMintDecimals: numberOut('Decimals of its shares.'),
  tokenAvailable: integerOut('Idle tokens, base units.'),
  sharesIssued: integerOut('Shares issued, base units.'),
  availableCrankFunds: integerOut('Funds for investing, base units.'),
  performanceFeeBps: numberOut('Fee on interest, basis points.'),
  managementFeeBps: numberOut('Yearly fee on everything, basis points.'),
  lastFeeChargeTimestamp: secondsOut('When fees were last charged'),
  prevAum: decimalOut('Total value when fees were last charged, base units.'),
  pendingFees: decimalOut('Fees charged and not yet taken out, base units.'),
  vaultAllocationStrategy: z
    .array(VaultAllocation)
    .openapi({ description: 'The used places of its strategy.' }),
  minDepositAmount: integerOut('Least deposit, base units.'),
  minWithdrawAmount: integerOut('Least withdrawal, base units.'),
  minInvestAmount: integerOut('Least investment, base units.'),
  minInvestDelaySlots: numberOut('Slots between investments, at least.'),
  crankFundFeePerReserve: integerOut('What a deposit pays per reserve for investing, base units.'),
  pendingAdmin: addressOut(`Who may take over its administration; ${NONE}.`),
  cumulativeEarnedInterest: decimalOut('Interest until fees were last charged, base units.'),
  cumulativeMgmtFees: decimalOut('Management fees until they were last charged, base units.'),
  cumulativePerfFees: decimalOut('Performance fees until they were last charged, base units.'),
  name: z.string().openapi({ description: 'Its name; may be empty.' }),
  vaultLookupTable: addressOut(`Its lookup table; ${NONE}.`),
  vaultFarm: addressOut(`The farm in which shares can be staked; ${NONE}.`),
  creationTimestamp: secondsOut('When it was created'),
  allocationAdmin: addressOut(`Who may change its strategy; ${NONE}.`),
});

export const Vault = z
  .strictObject({
    address: addressOut('The vault.'),
    state: VaultState.openapi({ description: 'The account as it is stored.' }),
    programId: addressOut('The vault program that runs it.'),
  })
  .openapi('Vault');

const apyOut = (description: string) => decimalOut(`${description} Yearly, a fraction.`);
const realised = (window: string) =>
  apyOut(
    `Realised from the share price over ${window}, or over what is recorded of it; "0" without history.`,
  );

/** The same amount in tokens, USD and SOL. */
function inThree<const N extends string>(name: N, what: string) {
  return {
    [name]: decimalOut(`${what}, in tokens.`),
    [`${name}Usd`]: decimalOut(`${what}, in USD; "0" when the token has no price.`),
    [`${name}Sol`]: decimalOut(`${what}, in SOL; "0" when a price is unknown.`),
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
      'As the vault is invested now, after fees: `apyActual` + `apyFarmRewards` + `apyIncentives` + `apyReservesIncentives`, exactly.',
    ),
    apyTheoretical: apyOut('Interest alone at target weights, every token invested, after fees.'),
    apyActual: apyOut('Interest alone as the vault is invested now, after fees.'),
    apyFarmRewards: apyOut('From the vault\u2019s own farm, for staked shares.'),
    apyIncentives: apyOut('From campaigns on the vault.'),
    apyReservesIncentives: apyOut('From campaigns on its reserves, weighted by what is invested in each.'),
    tokenPrice: decimalOut('USD for one deposit token; "0" when unknown.'),
    solPrice: decimalOut('USD for one SOL; "0" when unknown.'),
    tokensAvailable: decimalOut('Tokens that are not invested.'),
    tokensAvailableUsd: decimalOut('The same in USD; "0" when the token has no price.'),
    tokensInvested: decimalOut('Tokens in reserves, with interest.'),
    tokensInvestedUsd: decimalOut('The same in USD; "0" when the token has no price.'),
    sharePrice: decimalOut('USD for one share: `tokensPerShare` x `tokenPrice`.'),
    tokensPerShare: decimalOut('Tokens that one share is worth; "0" without shares.'),
    sharesIssued: decimalOut('Whole shares.'),
    numberOfHolders: z.number().openapi({ description: 'Wallets that hold shares; 0 without history.' }),
    ...inThree('cumulativeInterestEarned', 'Interest since the vault began, before fees'),
    ...inThree('interestEarnedPerSecond', 'Interest per second as the vault is invested now, before fees'),
    ...inThree('cumulativePerformanceFees', 'Performance fees since the vault began'),
    ...inThree('cumulativeManagementFees', 'Management fees since the vault began'),
  })
  .openapi('VaultMetrics');
