import type { RealisedYield } from '../../../services/history/realised-yield.ts';
import type { VaultRecord } from '../../../services/request/records.ts';
import {
  type VaultAllocation,
  type VaultFees,
  type VaultInterest,
  vaultAmount,
} from '../../../services/vaults/vaults.ts';
import { builder } from '../../builder.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

export const VaultAllocationRef = builder.objectRef<VaultAllocation>('VaultAllocation').implement({
  description: 'The current and target allocation of a vault to one reserve.',
  fields: (t) => ({
    ...reserveFields(t, ({ holding }) => holding.allocation.reserve),
    targetWeight: t.field({
      type: 'U64',
      description: 'Target weight, relative to the other allocations.',
      resolve: ({ holding }) => holding.allocation.targetAllocationWeight,
    }),
    targetShare: t.expose('targetShare', {
      type: 'Decimal',
      description:
        'Target fraction of the vault: this weight / (all weights + unallocated weight). 0 when all weights are 0.',
    }),
    actualShare: t.expose('actualShare', {
      type: 'Decimal',
      nullable: true,
      description:
        'Fraction of the vault\u2019s total value invested in this reserve. Null when a reserve of the vault cannot be read.',
    }),
    cap: t.expose('cap', {
      type: TokenAmountRef,
      description:
        'Maximum that may be invested in this reserve: the smaller of the cap in tokens and the cap in collateral tokens at their current price. The largest 64-bit amount means no cap. Without the second one when the reserve cannot be read.',
    }),
    collateralCap: t.expose('collateralCap', {
      type: 'Decimal',
      nullable: true,
      description:
        'Maximum of collateral tokens (cTokens) that the vault may hold, in whole tokens. Null when there is no such cap.',
    }),
    target: t.expose('target', {
      type: TokenAmountRef,
      description: 'Target amount according to the weights, as the program last computed it.',
    }),
    invested: t.expose('invested', {
      type: TokenAmountRef,
      nullable: true,
      description: 'Amount invested in this reserve, with interest. Null when the reserve cannot be read.',
    }),
    collateral: t.expose('collateral', {
      type: 'Decimal',
      description: 'Collateral tokens (cTokens) that the vault holds, in whole tokens.',
    }),
    ctokenVault: t.field({
      type: 'Address',
      description: 'Token account that holds those collateral tokens.',
      resolve: ({ holding }) => holding.allocation.ctokenVault,
    }),
    ctokenVaultBump: t.int({
      description: 'Bump seed of `ctokenVault`.',
      resolve: ({ holding }) => Number(BigInt.asUintN(31, holding.allocation.ctokenVaultBump)),
    }),
    lastInvestSlot: t.field({
      type: 'U64',
      description: 'Slot of the last investment.',
      resolve: ({ holding }) => holding.allocation.lastInvestSlot,
    }),
  }),
});

export const VaultInterestRef = builder.objectRef<VaultInterest>('VaultInterest').implement({
  description: 'Interest of a vault, before fees.',
  fields: (t) => ({
    earned: t.expose('earned', {
      type: TokenAmountRef,
      description: 'Interest earned since the vault was created, up to the slot of the View.',
    }),
    perSecond: t.expose('perSecond', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Interest per second at current rates: the sum over reserves of the invested amount times the supply rate. Null when a reserve cannot be read.',
    }),
  }),
});

export const RealisedInterestApyRef = builder.objectRef<RealisedYield>('RealisedInterestApy').implement({
  description:
    'Interest that a share earned over a past period: the growth of tokens per share, annualised. Rewards are not part of it.',
  fields: (t) => ({
    apy: t.expose('apy', {
      type: 'Decimal',
      description: 'Interest per year as a fraction, compounded, after fees and without rewards.',
    }),
    from: t.expose('from', {
      type: 'DateTime',
      description:
        'Time of the first share price. Later than the start of the period when recorded history is shorter.',
    }),
  }),
});

export const VaultFeesRef = builder.objectRef<VaultFees>('VaultFees').implement({
  description: 'Fee rates of a vault, and the fees charged up to the slot of the View.',
  fields: (t) => ({
    performanceBps: t.exposeInt('performanceBps', {
      description: 'Performance fee on interest, in basis points.',
    }),
    managementBps: t.exposeInt('managementBps', {
      description: 'Management fee on the total value, in basis points per year.',
    }),
    cumulativePerformance: t.expose('cumulativePerformance', {
      type: TokenAmountRef,
      description: 'Performance fees since the vault was created.',
    }),
    cumulativeManagement: t.expose('cumulativeManagement', {
      type: TokenAmountRef,
      description: 'Management fees since the vault was created.',
    }),
    pending: t.expose('pending', {
      type: TokenAmountRef,
      description: 'Fees that are owed but not yet withdrawn.',
    }),
    lastChargedAt: t.expose('lastChargedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when fees were last charged. Null when they never were.',
    }),
    withdrawalPenaltyBps: t.exposeInt('withdrawalPenaltyBps', {
      nullable: true,
      description: 'Penalty that the vault sets on withdrawals, in basis points.',
    }),
  }),
});

export const VaultMinimumsRef = builder.objectRef<VaultRecord>('VaultMinimums').implement({
  description: 'Minimum amounts of a vault.',
  fields: (t) => ({
    deposit: t.field({
      type: TokenAmountRef,
      description: 'Minimum deposit.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minDepositAmount),
    }),
    withdraw: t.field({
      type: TokenAmountRef,
      description: 'Minimum withdrawal.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minWithdrawAmount),
    }),
    invest: t.field({
      type: TokenAmountRef,
      description: 'Minimum investment into a reserve.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minInvestAmount),
    }),
    investDelaySlots: t.field({
      type: 'U64',
      description: 'Minimum number of slots between two investments into a reserve.',
      resolve: ({ value }) => value.minInvestDelaySlots,
    }),
  }),
});
