import {
  acceptVaultAdminAction,
  type CapInput,
  createVaultAction,
  giveUpVaultFeesAction,
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  topUpVaultRewardsAction,
  withdrawVaultFeesAction,
  withdrawVaultRewardsAction,
} from '../../../../services/builds/actions.ts';
import { type BuilderTypes, builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, BuildOptionsRef } from './build-inputs.ts';
import { CapInputRef, capOf } from './cap-input.ts';
import { VAULT_CONFIG_FIELD } from './vault-config.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>;

/** The fields of every input of an action on a vault by the wallet that runs it. */
export function curatorFields(t: InputFields, who: string) {
  return {
    wallet: t.field({
      type: 'Address',
      required: true,
      description: `${who}, who signs the transaction and pays its fee unless there is another fee payer.`,
    }),
    vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  };
}

const ADMIN = 'Admin of the vault';

const CreateVaultInputRef = builder.inputType('CreateVaultInput', {
  description: 'Input of the creation of a vault.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Wallet that becomes the admin of the vault. It signs the transaction, pays the first deposit of 1,000 base units, and pays fee and rent unless there is another fee payer.',
    }),
    vault: t.field({
      type: 'Address',
      required: true,
      description:
        'Address of a new key pair of yours, which becomes the address of the vault. It must sign the transaction too.',
    }),
    mint: t.field({
      type: 'Address',
      required: true,
      description: 'Mint of the token that the vault accepts.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const SetAllocationInputRef = builder.inputType('SetVaultAllocationInput', {
  description: 'Input of weight and caps of a reserve of a vault. What is omitted stays as it is.',
  fields: (t) => ({
    ...curatorFields(t, 'Admin of the vault, or of its allocations for a reserve that it uses'),
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
    weight: t.field({
      type: 'U64',
      description:
        'Weight of the reserve, relative to those of the others and of the idle tokens. 0 in a new allocation unless given.',
    }),
    cap: t.field({
      type: CapInputRef,
      description: 'The most that the vault invests in the reserve. None in a new allocation unless given.',
    }),
    collateralCap: t.field({
      type: CapInputRef,
      description: 'That in collateral tokens (cTokens) of the reserve.',
    }),
  }),
});

const RemoveAllocationInputRef = builder.inputType('RemoveVaultAllocationInput', {
  description: 'Input of the removal of a reserve from a vault.',
  fields: (t) => ({
    ...curatorFields(t, ADMIN),
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
  }),
});

const InvestInputRef = builder.inputType('InvestVaultInput', {
  description: 'Input of an investment of a vault.',
  fields: (t) => ({
    ...curatorFields(t, 'Any wallet'),
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
    maxAmount: t.field({
      type: AmountInputRef,
      description: 'The most to move, in tokens of the vault. Defaults to all that the target asks for.',
    }),
  }),
});

const AcceptAdminInputRef = builder.inputType('AcceptVaultAdminInput', {
  description: 'Input of the handover of a vault.',
  fields: (t) => curatorFields(t, 'Pending admin of the vault'),
});

const WithdrawFeesInputRef = builder.inputType('WithdrawVaultFeesInput', {
  description: 'Input of a withdrawal of the fees of a vault.',
  fields: (t) => ({
    ...curatorFields(t, ADMIN),
    reserve: t.field({
      type: 'Address',
      description: 'Reserve that pays what idle tokens do not cover. Defaults to the one that can pay most.',
    }),
  }),
});

const GiveUpFeesInputRef = builder.inputType('GiveUpVaultFeesInput', {
  description: 'Input of fees of a vault that are left to its shareholders.',
  fields: (t) => ({
    ...curatorFields(t, ADMIN),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Fees to give up, at most.' }),
  }),
});

const TopUpRewardsInputRef = builder.inputType('TopUpVaultRewardsInput', {
  description: 'Input of tokens for the rewards of a vault.',
  fields: (t) => ({
    ...curatorFields(t, 'Any wallet'),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Tokens to add.' }),
  }),
});

const WithdrawRewardsInputRef = builder.inputType('WithdrawVaultRewardsInput', {
  description: 'Input of a withdrawal of rewards of a vault.',
  fields: (t) => ({
    ...curatorFields(t, ADMIN),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Rewards to withdraw, at most.' }),
  }),
});

const capIn = (name: 'cap' | 'collateralCap', cap: CapInput | undefined) =>
  cap === undefined ? {} : { [name]: cap };

/** Actions on a vault by the wallet that runs it. */
export const CURATOR_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'createVault',
    mutation: 'buildCreateVault',
    kind: 'CREATE_VAULT',
    builds:
      'Builds the creation of a vault at the address of a new key pair, which must sign too: its account, its token account and the mint of its shares. A first deposit of 1,000 base units stays in the vault for good. Reserves, fees and limits follow with the other builders, in the same plan if you like.',
    input: CreateVaultInputRef,
    actionOf: (source, { wallet, vault, mint }, options) =>
      createVaultAction(source, { wallet, vault, mint, ...options }),
  }),
  actionField({
    name: 'setVaultAllocation',
    mutation: 'buildSetVaultAllocation',
    kind: 'SET_VAULT_ALLOCATION',
    builds:
      'Builds a change of weight and caps of a reserve of a vault, or its addition. It moves nothing: the vault follows with buildInvestVault.',
    input: SetAllocationInputRef,
    actionOf: (source, { wallet, vault, reserve, weight, cap, collateralCap }) =>
      setAllocationAction(source, {
        wallet,
        vault,
        reserve,
        ...(typeof weight === 'bigint' ? { weight } : {}),
        ...capIn('cap', capOf(cap)),
        ...capIn('collateralCap', capOf(collateralCap)),
      }),
  }),
  actionField({
    name: 'removeVaultAllocation',
    mutation: 'buildRemoveVaultAllocation',
    kind: 'REMOVE_VAULT_ALLOCATION',
    builds:
      'Builds the removal of a reserve from a vault. The reserve must have weight 0, and the vault no tokens in it.',
    input: RemoveAllocationInputRef,
    actionOf: (source, { wallet, vault, reserve }) =>
      removeAllocationAction(source, { wallet, vault, reserve }),
  }),
  actionField({
    name: 'investVault',
    mutation: 'buildInvestVault',
    kind: 'INVEST_VAULT',
    builds:
      'Builds an investment: it moves tokens between a vault and one of its reserves, towards the target of the reserve. Any wallet may, and pays at most one base unit for rounding.',
    input: InvestInputRef,
    actionOf: (source, { wallet, vault, reserve, maxAmount }) =>
      investVaultAction(source, {
        wallet,
        vault,
        reserve,
        ...(maxAmount ? { maxAmount: amountOf(maxAmount) } : {}),
      }),
  }),
  VAULT_CONFIG_FIELD,
  actionField({
    name: 'acceptVaultAdmin',
    mutation: 'buildAcceptVaultAdmin',
    kind: 'ACCEPT_VAULT_ADMIN',
    builds: 'Builds the handover of a vault: its pending admin becomes its admin.',
    input: AcceptAdminInputRef,
    actionOf: (source, { wallet, vault }) => acceptVaultAdminAction(source, { wallet, vault }),
  }),
  actionField({
    name: 'withdrawVaultFees',
    mutation: 'buildWithdrawVaultFees',
    kind: 'WITHDRAW_VAULT_FEES',
    builds: 'Builds a payment of the fees of a vault to its admin, from idle tokens and one reserve.',
    input: WithdrawFeesInputRef,
    actionOf: (source, { wallet, vault, reserve }, options) =>
      withdrawVaultFeesAction(source, { wallet, vault, ...(reserve ? { reserve } : {}), ...options }),
  }),
  actionField({
    name: 'giveUpVaultFees',
    mutation: 'buildGiveUpVaultFees',
    kind: 'GIVE_UP_VAULT_FEES',
    builds: 'Builds a waiver: fees that the vault owes its admin stay with the shareholders.',
    input: GiveUpFeesInputRef,
    actionOf: (source, { wallet, vault, amount }) =>
      giveUpVaultFeesAction(source, { wallet, vault, amount: amountOf(amount) }),
  }),
  actionField({
    name: 'topUpVaultRewards',
    mutation: 'buildTopUpVaultRewards',
    kind: 'TOP_UP_VAULT_REWARDS',
    builds:
      'Builds a payment into the rewards of a vault, which releases them to its shareholders at its reward rate. Any wallet may.',
    input: TopUpRewardsInputRef,
    actionOf: (source, { wallet, vault, amount }, options) =>
      topUpVaultRewardsAction(source, { wallet, vault, amount: amountOf(amount), ...options }),
  }),
  actionField({
    name: 'withdrawVaultRewards',
    mutation: 'buildWithdrawVaultRewards',
    kind: 'WITHDRAW_VAULT_REWARDS',
    builds: 'Builds a withdrawal of rewards of a vault that are not released yet, by its admin.',
    input: WithdrawRewardsInputRef,
    actionOf: (source, { wallet, vault, amount }, options) =>
      withdrawVaultRewardsAction(source, { wallet, vault, amount: amountOf(amount), ...options }),
  }),
];
