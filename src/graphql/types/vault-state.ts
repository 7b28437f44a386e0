import { fromScaledFraction } from '../../numeric/fraction.ts';
import { integer } from '../../numeric/rational.ts';
import { readText } from '../../programs/layout/codec.ts';
import type { VaultRecord } from '../../services/records.ts';
import { usedAllocations } from '../../services/vaults.ts';
import { builder } from '../builder.ts';

type Allocation = ReturnType<typeof usedAllocations>[number];

const AllocationStateRef = builder.objectRef<Allocation>('VaultAllocationState').implement({
  description: 'One used place of a vault\u2019s strategy, as the account holds it. Amounts are base units.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', nullable: false, description: 'The reserve.' }),
    ctokenVault: t.expose('ctokenVault', {
      type: 'Address',
      nullable: false,
      description: 'Account with the vault\u2019s collateral tokens of the reserve.',
    }),
    ctokenVaultBump: t.expose('ctokenVaultBump', {
      type: 'U64',
      nullable: false,
      description: 'Bump seed of that account.',
    }),
    targetAllocationWeight: t.expose('targetAllocationWeight', {
      type: 'U64',
      nullable: false,
      description: 'Weight among all allocations.',
    }),
    tokenAllocationCap: t.expose('tokenAllocationCap', {
      type: 'U64',
      nullable: false,
      description: 'Most tokens that may be invested here, base units.',
    }),
    ctokenAllocation: t.expose('ctokenAllocation', {
      type: 'U64',
      nullable: false,
      description: 'Collateral tokens that the vault holds, base units.',
    }),
    lastInvestSlot: t.expose('lastInvestSlot', {
      type: 'U64',
      nullable: false,
      description: 'Slot of the last investment.',
    }),
    tokenTargetAllocation: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Tokens that should be here by weight, base units.',
      resolve: ({ tokenTargetAllocationSf }) => fromScaledFraction(tokenTargetAllocationSf),
    }),
  }),
});

type State = VaultRecord['value'];
type AddressField = { [K in keyof State]: State[K] extends string ? K : never }[keyof State];
type IntegerField = { [K in keyof State]: State[K] extends bigint ? K : never }[keyof State];

/** The account of a vault, field by field as the specification names them. */
export const VaultStateRef = builder.objectRef<State>('VaultState').implement({
  description:
    'The account of a vault as it is stored, every specified field. Amounts are base units; an address that is not set is 11111111111111111111111111111111.',
  fields: (t) => {
    const address = (name: AddressField, description: string) =>
      t.field({ type: 'Address', nullable: false, description, resolve: (state) => state[name] });
    const integerField = (name: IntegerField, description: string) =>
      t.field({ type: 'U64', nullable: false, description, resolve: (state) => state[name] });
    const fraction = (name: IntegerField, description: string) =>
      t.field({
        type: 'Decimal',
        nullable: false,
        description,
        resolve: (state) => fromScaledFraction(state[name]),
      });
    return {
      vaultAdminAuthority: address('vaultAdminAuthority', 'Who administers it.'),
      baseVaultAuthority: address('baseVaultAuthority', 'The address that owns its accounts.'),
      baseVaultAuthorityBump: integerField('baseVaultAuthorityBump', 'Bump seed of that address.'),
      tokenMint: address('tokenMint', 'Mint of the deposit token.'),
      tokenMintDecimals: integerField('tokenMintDecimals', 'Decimals of the deposit token.'),
      tokenVault: address('tokenVault', 'Account with its idle tokens.'),
      tokenProgram: address('tokenProgram', 'Token program of the deposit token.'),
      sharesMint: address('sharesMint', 'Mint of its shares.'),
      sharesMintDecimals: integerField('sharesMintDecimals', 'Decimals of its shares.'),
      tokenAvailable: integerField('tokenAvailable', 'Idle tokens, base units.'),
      sharesIssued: integerField('sharesIssued', 'Shares issued, base units.'),
      availableCrankFunds: integerField('availableCrankFunds', 'Funds for investing, base units.'),
      unallocatedWeight: integerField('unallocatedWeight', 'Weight of what stays idle.'),
      performanceFeeBps: integerField('performanceFeeBps', 'Fee on interest, basis points.'),
      managementFeeBps: integerField('managementFeeBps', 'Yearly fee on everything, basis points.'),
      lastFeeChargeTimestamp: integerField(
        'lastFeeChargeTimestamp',
        'When fees were last charged, unix seconds.',
      ),
      prevAum: fraction('prevAumSf', 'Total value when fees were last charged, base units.'),
      pendingFees: fraction('pendingFeesSf', 'Fees charged and not yet taken out, base units.'),
      vaultAllocationStrategy: t.field({
        type: [AllocationStateRef],
        nullable: false,
        description: 'The used places of its strategy.',
        resolve: (state) => usedAllocations(state),
      }),
      minDepositAmount: integerField('minDepositAmount', 'Least deposit, base units.'),
      minWithdrawAmount: integerField('minWithdrawAmount', 'Least withdrawal, base units.'),
      minInvestAmount: integerField('minInvestAmount', 'Least investment, base units.'),
      minInvestDelaySlots: integerField('minInvestDelaySlots', 'Slots between investments, at least.'),
      crankFundFeePerReserve: integerField(
        'crankFundFeePerReserve',
        'What a deposit pays per reserve for investing, base units.',
      ),
      pendingAdmin: address('pendingAdmin', 'Who may take over its administration.'),
      cumulativeEarnedInterest: fraction(
        'cumulativeEarnedInterestSf',
        'Interest until fees were last charged, base units.',
      ),
      cumulativeMgmtFees: fraction(
        'cumulativeMgmtFeesSf',
        'Management fees until they were last charged, base units.',
      ),
      cumulativePerfFees: fraction(
        'cumulativePerfFeesSf',
        'Performance fees until they were last charged, base units.',
      ),
      name: t.string({
        nullable: false,
        description: 'Its name; may be empty.',
        resolve: ({ name }) => readText(name),
      }),
      vaultLookupTable: address('vaultLookupTable', 'Its lookup table.'),
      vaultFarm: address('vaultFarm', 'Its farm.'),
      creationTimestamp: integerField('creationTimestamp', 'When it was created, unix seconds.'),
      unallocatedTokensCap: integerField(
        'unallocatedTokensCap',
        'Most tokens that may stay idle, base units.',
      ),
      allocationAdmin: address('allocationAdmin', 'Who may change its strategy.'),
      withdrawalPenaltyLamports: integerField(
        'withdrawalPenaltyLamports',
        'Least penalty on a withdrawal, base units.',
      ),
      withdrawalPenaltyBps: integerField('withdrawalPenaltyBps', 'Penalty on a withdrawal, basis points.'),
      rewardPerSecond: t.field({
        type: 'Decimal',
        nullable: false,
        description: 'Tokens that the vault releases to itself as a reward, base units per second.',
        resolve: ({ rewardInfo }) => integer(rewardInfo.rewardPerSecond),
      }),
    };
  },
});
