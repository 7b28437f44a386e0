import { readText } from '@sluice/protocol/layout/codec';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import type { VaultRecord } from '../../../services/request/records.ts';
import { usedAllocations } from '../../../services/vaults/vaults.ts';
import { builder } from '../../builder.ts';

type Allocation = ReturnType<typeof usedAllocations>[number];

const AllocationStateRef = builder.objectRef<Allocation>('VaultAllocationState').implement({
  description:
    'One entry of a vault\u2019s allocation strategy, as stored in the account. Amounts are in base units.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    ctokenVault: t.expose('ctokenVault', {
      type: 'Address',
      description: 'Token account that holds the vault\u2019s collateral tokens (cTokens) of the reserve.',
    }),
    ctokenVaultBump: t.expose('ctokenVaultBump', { type: 'U64', description: 'Bump seed of `ctokenVault`.' }),
    targetAllocationWeight: t.expose('targetAllocationWeight', {
      type: 'U64',
      description: 'Target weight, relative to the other allocations.',
    }),
    tokenAllocationCap: t.expose('tokenAllocationCap', {
      type: 'U64',
      description: 'Maximum that may be invested in the reserve, in base units.',
    }),
    ctokenAllocationCap: t.expose('ctokenAllocationCap', {
      type: 'U64',
      description:
        'Maximum of collateral tokens (cTokens) that the vault may hold, in base units. 0 and the largest 64-bit number mean no cap.',
    }),
    ctokenAllocation: t.expose('ctokenAllocation', {
      type: 'U64',
      description: 'Collateral tokens (cTokens) that the vault holds, in base units.',
    }),
    lastInvestSlot: t.expose('lastInvestSlot', { type: 'U64', description: 'Slot of the last investment.' }),
    tokenTargetAllocation: t.field({
      type: 'Decimal',
      description: 'Target amount according to the weights, in base units.',
      resolve: ({ tokenTargetAllocationSf }) => fromScaledFraction(tokenTargetAllocationSf),
    }),
  }),
});

type State = VaultRecord['value'];
type AddressField = { [K in keyof State]: State[K] extends string ? K : never }[keyof State];
type IntegerField = { [K in keyof State]: State[K] extends bigint ? K : never }[keyof State];

/** The fields of a vault account, named as in the specification. */
export const VaultStateRef = builder.objectRef<State>('VaultState').implement({
  description:
    'The account of a vault as stored on chain, with every field of the specification. Amounts are in base units. An unset address is 11111111111111111111111111111111.',
  fields: (t) => {
    const address = (name: AddressField, description: string) =>
      t.field({ type: 'Address', description, resolve: (state) => state[name] });
    const integerField = (name: IntegerField, description: string) =>
      t.field({ type: 'U64', description, resolve: (state) => state[name] });
    const fraction = (name: IntegerField, description: string) =>
      t.field({ type: 'Decimal', description, resolve: (state) => fromScaledFraction(state[name]) });
    return {
      vaultAdminAuthority: address('vaultAdminAuthority', 'Admin of the vault.'),
      baseVaultAuthority: address('baseVaultAuthority', 'Address that owns the token accounts of the vault.'),
      baseVaultAuthorityBump: integerField('baseVaultAuthorityBump', 'Bump seed of `baseVaultAuthority`.'),
      tokenMint: address('tokenMint', 'Mint of the deposit token.'),
      tokenMintDecimals: integerField('tokenMintDecimals', 'Decimals of the deposit token.'),
      tokenVault: address('tokenVault', 'Token account that holds the idle tokens.'),
      tokenProgram: address('tokenProgram', 'Token program of the deposit token.'),
      sharesMint: address('sharesMint', 'Mint of the shares.'),
      sharesMintDecimals: integerField('sharesMintDecimals', 'Decimals of the shares.'),
      tokenAvailable: integerField('tokenAvailable', 'Idle tokens, in base units.'),
      sharesIssued: integerField('sharesIssued', 'Shares issued, in base units.'),
      availableCrankFunds: integerField(
        'availableCrankFunds',
        'Funds that pay for investing (crank funds), in base units.',
      ),
      unallocatedWeight: integerField('unallocatedWeight', 'Target weight of the idle part.'),
      performanceFeeBps: integerField('performanceFeeBps', 'Performance fee on interest, in basis points.'),
      managementFeeBps: integerField(
        'managementFeeBps',
        'Management fee on the total value, in basis points per year.',
      ),
      lastFeeChargeTimestamp: integerField(
        'lastFeeChargeTimestamp',
        'Time when fees were last charged, in Unix seconds.',
      ),
      prevAum: fraction('prevAumSf', 'Total value when fees were last charged, in base units.'),
      pendingFees: fraction('pendingFeesSf', 'Fees charged but not yet withdrawn, in base units.'),
      vaultAllocationStrategy: t.field({
        type: [AllocationStateRef],
        description: 'The used entries of the allocation strategy.',
        resolve: (state) => usedAllocations(state),
      }),
      minDepositAmount: integerField('minDepositAmount', 'Minimum deposit, in base units.'),
      minWithdrawAmount: integerField('minWithdrawAmount', 'Minimum withdrawal, in base units.'),
      minInvestAmount: integerField('minInvestAmount', 'Minimum investment, in base units.'),
      minInvestDelaySlots: integerField(
        'minInvestDelaySlots',
        'Minimum number of slots between investments.',
      ),
      crankFundFeePerReserve: integerField(
        'crankFundFeePerReserve',
        'Fee that a deposit pays per reserve to fund investing, in base units.',
      ),
      pendingAdmin: address('pendingAdmin', 'Address that may become the admin.'),
      cumulativeEarnedInterest: fraction(
        'cumulativeEarnedInterestSf',
        'Interest earned until fees were last charged, in base units.',
      ),
      cumulativeMgmtFees: fraction(
        'cumulativeMgmtFeesSf',
        'Management fees until they were last charged, in base units.',
      ),
      cumulativePerfFees: fraction(
        'cumulativePerfFeesSf',
        'Performance fees until they were last charged, in base units.',
      ),
      name: t.string({
        description: 'Name of the vault. May be empty.',
        resolve: ({ name }) => readText(name),
      }),
      vaultLookupTable: address('vaultLookupTable', 'Lookup table of the vault.'),
      vaultFarm: address('vaultFarm', 'Farm in which shares can be staked.'),
      creationTimestamp: integerField('creationTimestamp', 'Time of creation, in Unix seconds.'),
      unallocatedTokensCap: integerField('unallocatedTokensCap', 'Maximum of idle tokens, in base units.'),
      allocationAdmin: address('allocationAdmin', 'Address that may change the allocation strategy.'),
      withdrawalPenaltyLamports: integerField(
        'withdrawalPenaltyLamports',
        'Minimum penalty on a withdrawal, in base units.',
      ),
      withdrawalPenaltyBps: integerField('withdrawalPenaltyBps', 'Penalty on a withdrawal, in basis points.'),
      depositCap: integerField(
        'depositCap',
        'Total value above which the vault takes no deposit, in base units. 0 and the largest 64-bit number mean no cap.',
      ),
      permissioningAuthority: address(
        'permissioningAuthority',
        'Address that must sign deposits and withdrawals besides the wallet. Unset for an open vault.',
      ),
      rewardPerSecond: t.field({
        type: 'Decimal',
        description:
          'Tokens that the vault releases to its shareholders as a reward, in base units per second.',
        resolve: ({ rewardInfo }) => integer(rewardInfo.rewardPerSecond),
      }),
    };
  },
});
