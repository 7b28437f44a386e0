import {
  type AmountInput,
  type BuildOptions,
  type LendingBuildRequest,
  type ObligationChoice,
  obligationKey,
  type ShareAmountInput,
  type VaultBuildRequest,
} from '../../services/builds.ts';
import { OBLIGATION_TAGS } from '../../services/obligation-tags.ts';
import { builder } from '../builder.ts';
import { ObligationTagRef } from './obligation-parts.ts';

const AllRef = builder.enumType('All', {
  description: 'Selects the whole amount.',
  values: { ALL: { description: 'The whole amount.' } } as const,
});

const AmountInputRef = builder.inputType('AmountInput', {
  description: 'An amount of tokens. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    tokens: t.field({ type: 'Decimal', description: 'Amount in whole tokens.' }),
    baseUnits: t.field({ type: 'U64', description: 'Amount in base units, the smallest unit of the mint.' }),
    all: t.field({
      type: AllRef,
      description:
        'The whole balance of the wallet, the whole debt or the whole deposit, depending on the action.',
    }),
  }),
});

const ShareAmountInputRef = builder.inputType('ShareAmountInput', {
  description: 'An amount to withdraw from a vault. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    shares: t.field({ type: 'Decimal', description: 'Amount in whole shares.' }),
    tokens: t.field({
      type: 'Decimal',
      description: 'Amount in whole tokens: as many shares as are worth it, before the withdrawal penalty.',
    }),
    all: t.field({ type: AllRef, description: 'All shares, including staked ones.' }),
  }),
});

const TaggedObligationRef = builder.inputType('TaggedObligation', {
  description: 'An obligation by its purpose. It is created if it does not exist.',
  fields: (t) => ({
    tag: t.field({ type: ObligationTagRef, required: true, description: 'Purpose of the obligation.' }),
    id: t.int({ defaultValue: 0, description: 'Index among obligations with the same purpose, 0 to 255.' }),
    seed1: t.field({
      type: 'Address',
      description: 'Mint of the collateral; for fixed-rate purposes, its reserve. Omit for VANILLA.',
    }),
    seed2: t.field({
      type: 'Address',
      description: 'Mint of the debt; for fixed-rate purposes, its reserve. Omit for VANILLA.',
    }),
  }),
});

const ObligationChoiceRef = builder.inputType('ObligationChoice', {
  description: 'An obligation of the wallet. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    address: t.field({ type: 'Address', description: 'Address of an existing obligation.' }),
    tagged: t.field({ type: TaggedObligationRef, description: 'An obligation by its purpose.' }),
  }),
});

const BuildOptionsRef = builder.inputType('BuildOptions', {
  description: 'Options of a build.',
  fields: (t) => ({
    strict: t.boolean({
      description:
        'Reject the build, instead of adding a warning, when the program would currently reject the transaction.',
    }),
    computeUnitLimit: t.int({
      description: 'Add a compute unit limit to each transaction, at most 1,400,000.',
    }),
    priorityFeeMicroLamports: t.field({
      type: 'U64',
      description: 'Add a priority fee to each transaction, in micro-lamports per compute unit.',
    }),
    unwrapSol: t.boolean({
      description:
        'Whether to close the wrapped SOL account at the end. By default this depends on its balance before the action.',
    }),
    lookupTables: t.field({
      type: ['Address'],
      description: 'Additional lookup tables to try, besides those of the vault, market and wallet.',
    }),
  }),
});

export const LendingActionInputRef = builder.inputType('LendingActionInput', {
  description: 'Input of a lending action.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Owner of the obligation, who signs the transaction and pays its fee.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of a reserve in that market.',
    }),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Amount of the action.' }),
    obligation: t.field({
      type: ObligationChoiceRef,
      description: 'Obligation to use. Defaults to the VANILLA obligation with id 0.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const VaultDepositInputRef = builder.inputType('VaultDepositInput', {
  description: 'Input of a vault deposit.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Owner of the shares, who signs the transaction and pays its fee.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Amount of the action.' }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const VaultWithdrawInputRef = builder.inputType('VaultWithdrawInput', {
  description: 'Input of a vault withdrawal.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Owner of the shares, who signs the transaction and pays its fee.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
    amount: t.field({ type: ShareAmountInputRef, required: true, description: 'Amount of the action.' }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const BuildActionRef = builder.inputType('BuildAction', {
  description: 'An action. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    lendingDeposit: t.field({ type: LendingActionInputRef, description: 'Deposit into a reserve.' }),
    lendingBorrow: t.field({ type: LendingActionInputRef, description: 'Borrow from a reserve.' }),
    lendingRepay: t.field({ type: LendingActionInputRef, description: 'Repay a debt to a reserve.' }),
    lendingWithdraw: t.field({
      type: LendingActionInputRef,
      description: 'Withdraw a deposit from a reserve.',
    }),
    vaultDeposit: t.field({ type: VaultDepositInputRef, description: 'Deposit into a vault.' }),
    vaultWithdraw: t.field({ type: VaultWithdrawInputRef, description: 'Withdraw from a vault.' }),
  }),
});

export type LendingActionInput = typeof LendingActionInputRef.$inferInput;
export type VaultDepositInput = typeof VaultDepositInputRef.$inferInput;
export type VaultWithdrawInput = typeof VaultWithdrawInputRef.$inferInput;

function amountOf(input: LendingActionInput['amount']): AmountInput {
  if (input.tokens) return { tokens: input.tokens };
  return input.baseUnits === null || input.baseUnits === undefined
    ? { all: true }
    : { baseUnits: input.baseUnits };
}

function sharesOf(input: VaultWithdrawInput['amount']): ShareAmountInput {
  if (input.shares) return { shares: input.shares };
  return input.tokens ? { tokens: input.tokens } : { all: true };
}

function optionsOf(input: LendingActionInput['options']): BuildOptions {
  return {
    ...(input?.strict === true ? { strict: true } : {}),
    ...(typeof input?.computeUnitLimit === 'number' ? { computeUnitLimit: input.computeUnitLimit } : {}),
    ...(typeof input?.priorityFeeMicroLamports === 'bigint'
      ? { priorityFeeMicroLamports: input.priorityFeeMicroLamports }
      : {}),
    ...(typeof input?.unwrapSol === 'boolean' ? { unwrapSol: input.unwrapSol } : {}),
    ...(input?.lookupTables ? { lookupTables: input.lookupTables } : {}),
  };
}

function choiceOf(input: LendingActionInput['obligation']): { obligation?: ObligationChoice } {
  if (input?.address) return { obligation: { address: input.address } };
  if (!input?.tagged) return {};
  const { tag, id, seed1, seed2 } = input.tagged;
  return {
    obligation: { key: obligationKey(OBLIGATION_TAGS.indexOf(tag), id ?? 0, seed1 ?? null, seed2 ?? null) },
  };
}

export function lendingRequest(
  action: LendingBuildRequest['action'],
  input: LendingActionInput,
): LendingBuildRequest {
  const { wallet, market, reserve, amount, obligation, options } = input;
  return {
    action,
    wallet,
    market,
    reserve,
    amount: amountOf(amount),
    ...choiceOf(obligation),
    options: optionsOf(options),
  };
}

export function vaultDepositRequest({
  wallet,
  vault,
  amount,
  options,
}: VaultDepositInput): VaultBuildRequest<AmountInput> {
  return { wallet, vault, amount: amountOf(amount), options: optionsOf(options) };
}

export function vaultWithdrawRequest({
  wallet,
  vault,
  amount,
  options,
}: VaultWithdrawInput): VaultBuildRequest<ShareAmountInput> {
  return { wallet, vault, amount: sharesOf(amount), options: optionsOf(options) };
}
