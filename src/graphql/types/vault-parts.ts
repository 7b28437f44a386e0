import type { VaultRecord } from '../../services/records.ts';
import {
  type VaultAllocation,
  type VaultFees,
  type VaultInterest,
  vaultAmount,
} from '../../services/vaults.ts';
import { builder } from '../builder.ts';
import { ReserveRef, reserveLink } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';

export const VaultAllocationRef = builder.objectRef<VaultAllocation>('VaultAllocation').implement({
  description: 'What a vault has, and should have, in one reserve.',
  fields: (t) => ({
    reserveAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of the reserve.',
      resolve: ({ holding }) => holding.allocation.reserve,
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve. Null, with an error, when it cannot be read.',
      resolve: ({ holding }, _args, { session }) => reserveLink(session, holding.allocation.reserve),
    }),
    targetWeight: t.field({
      type: 'U64',
      nullable: false,
      description: 'Weight among all allocations.',
      resolve: ({ holding }) => holding.allocation.targetAllocationWeight,
    }),
    targetShare: t.expose('targetShare', {
      type: 'Decimal',
      nullable: false,
      description: 'Share of the vault by weight, unallocated weight included; 0 without weights.',
    }),
    actualShare: t.expose('actualShare', {
      type: 'Decimal',
      nullable: true,
      description:
        'Share of the vault\u2019s value that is here. Null when a reserve of the vault cannot be read.',
    }),
    cap: t.expose('cap', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Most that may be invested here.',
    }),
    target: t.expose('target', {
      type: TokenAmountRef,
      nullable: false,
      description: 'What should be here by weight, when it was last computed.',
    }),
    invested: t.expose('invested', {
      type: TokenAmountRef,
      nullable: true,
      description: 'What is here. Null when the reserve cannot be read.',
    }),
    collateral: t.expose('collateral', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole collateral tokens (cTokens) that the vault holds.',
    }),
    ctokenVault: t.field({
      type: 'Address',
      nullable: false,
      description: 'Account with those collateral tokens.',
      resolve: ({ holding }) => holding.allocation.ctokenVault,
    }),
    ctokenVaultBump: t.int({
      nullable: false,
      description: 'Bump seed of that account.',
      resolve: ({ holding }) => Number(BigInt.asUintN(31, holding.allocation.ctokenVaultBump)),
    }),
    lastInvestSlot: t.field({
      type: 'U64',
      nullable: false,
      description: 'Slot of the last investment.',
      resolve: ({ holding }) => holding.allocation.lastInvestSlot,
    }),
  }),
});

export const VaultInterestRef = builder.objectRef<VaultInterest>('VaultInterest').implement({
  description: 'What a vault earns, before fees.',
  fields: (t) => ({
    earned: t.expose('earned', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Since the vault began, up to the View.',
    }),
    perSecond: t.expose('perSecond', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Per second at present rates: the sum over reserves of what is invested times the supply rate. Null when a reserve cannot be read.',
    }),
  }),
});

export const VaultFeesRef = builder.objectRef<VaultFees>('VaultFees').implement({
  description: 'What a vault charges and has charged, up to the View.',
  fields: (t) => ({
    performanceBps: t.exposeInt('performanceBps', {
      nullable: false,
      description: 'Fee on interest, basis points.',
    }),
    managementBps: t.exposeInt('managementBps', {
      nullable: false,
      description: 'Yearly fee on everything, basis points.',
    }),
    cumulativePerformance: t.expose('cumulativePerformance', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Performance fees since the vault began.',
    }),
    cumulativeManagement: t.expose('cumulativeManagement', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Management fees since the vault began.',
    }),
    pending: t.expose('pending', {
      type: TokenAmountRef,
      nullable: false,
      description: 'Fees that are owed and not yet taken out.',
    }),
    lastChargedAt: t.expose('lastChargedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When fees were last charged. Null when never.',
    }),
    withdrawalPenaltyBps: t.exposeInt('withdrawalPenaltyBps', {
      nullable: true,
      description: 'The vault\u2019s own penalty on withdrawals, basis points.',
    }),
  }),
});

export const VaultMinimumsRef = builder.objectRef<VaultRecord>('VaultMinimums').implement({
  description: 'The least that a vault takes and gives.',
  fields: (t) => ({
    deposit: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'Least deposit.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minDepositAmount),
    }),
    withdraw: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'Least withdrawal.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minWithdrawAmount),
    }),
    invest: t.field({
      type: TokenAmountRef,
      nullable: false,
      description: 'Least investment into a reserve.',
      resolve: (vault, _args, { session }) => vaultAmount(session.view, vault, vault.value.minInvestAmount),
    }),
    investDelaySlots: t.field({
      type: 'U64',
      nullable: false,
      description: 'Slots between two investments into a reserve, at least.',
      resolve: ({ value }) => value.minInvestDelaySlots,
    }),
  }),
});
