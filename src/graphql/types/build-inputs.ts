import { toDecimalString } from '../../numeric/decimal.ts';
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
  description: 'Everything, said in so many words.',
  values: { ALL: { description: 'Everything there is.' } } as const,
});

const AmountInputRef = builder.inputType('AmountInput', {
  description: 'How much: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    tokens: t.field({ type: 'Decimal', description: 'Whole tokens.' }),
    baseUnits: t.field({ type: 'U64', description: 'Smallest units of the mint.' }),
    all: t.field({
      type: AllRef,
      description: 'The wallet\u2019s balance, the whole debt, or the whole deposit.',
    }),
  }),
});

const ShareAmountInputRef = builder.inputType('ShareAmountInput', {
  description: 'How much of a vault to leave: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    shares: t.field({ type: 'Decimal', description: 'Whole shares.' }),
    tokens: t.field({
      type: 'Decimal',
      description: 'Shares that are worth so many whole tokens, before the penalty.',
    }),
    all: t.field({ type: AllRef, description: 'All shares, staked ones included.' }),
  }),
});

const TaggedObligationRef = builder.inputType('TaggedObligation', {
  description: 'An obligation by what it is for; it may be new.',
  fields: (t) => ({
    tag: t.field({ type: ObligationTagRef, required: true, description: 'What it is for.' }),
    id: t.int({ defaultValue: 0, description: 'Which of several, 0 to 255.' }),
    seed1: t.field({
      type: 'Address',
      description: 'Mint (or reserve, for fixed rates) of the collateral; none for VANILLA.',
    }),
    seed2: t.field({
      type: 'Address',
      description: 'Mint (or reserve, for fixed rates) of the debt; none for VANILLA.',
    }),
  }),
});

const ObligationChoiceRef = builder.inputType('ObligationChoice', {
  description: 'Which obligation of the wallet: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    address: t.field({ type: 'Address', description: 'One that exists, by its address.' }),
    tagged: t.field({ type: TaggedObligationRef, description: 'By what it is for.' }),
  }),
});

const BuildOptionsRef = builder.inputType('BuildOptions', {
  description: 'What may be chosen about a build.',
  fields: (t) => ({
    strict: t.boolean({
      description: 'Refuse instead of warning when the program would refuse as things stand.',
    }),
    computeUnitLimit: t.int({
      description: 'Put a compute-unit limit in front of each transaction, at most 1,400,000.',
    }),
    priorityFeeMicroLamports: t.field({
      type: 'U64',
      description: 'Put a priority fee in front, millionths of a lamport per compute unit.',
    }),
    unwrapSol: t.boolean({
      description:
        'Close the wrapped-SOL account afterwards or leave it; decided by what it held when left out.',
    }),
    lookupTables: t.field({
      type: ['Address'],
      description: 'Tables to try besides those of the vault, market and wallet.',
    }),
  }),
});

export const LendingActionInputRef = builder.inputType('LendingActionInput', {
  description: 'A lending action of a wallet.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Owner of the obligation; signs and pays.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'The market.' }),
    reserve: t.field({ type: 'Address', required: true, description: 'A reserve of that market.' }),
    amount: t.field({ type: AmountInputRef, required: true, description: 'How much.' }),
    obligation: t.field({
      type: ObligationChoiceRef,
      description: 'Which obligation; the vanilla one with id 0 when left out.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'What may be chosen.' }),
  }),
});

export const VaultDepositInputRef = builder.inputType('VaultDepositInput', {
  description: 'A deposit into a vault.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Holder of the shares; signs and pays.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'The vault.' }),
    amount: t.field({ type: AmountInputRef, required: true, description: 'How much.' }),
    options: t.field({ type: BuildOptionsRef, description: 'What may be chosen.' }),
  }),
});

export const VaultWithdrawInputRef = builder.inputType('VaultWithdrawInput', {
  description: 'A withdrawal from a vault.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description: 'Holder of the shares; signs and pays.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'The vault.' }),
    amount: t.field({ type: ShareAmountInputRef, required: true, description: 'How much.' }),
    options: t.field({ type: BuildOptionsRef, description: 'What may be chosen.' }),
  }),
});

export const BuildActionRef = builder.inputType('BuildAction', {
  description: 'An action: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    lendingDeposit: t.field({ type: LendingActionInputRef, description: 'Supply to a reserve.' }),
    lendingBorrow: t.field({ type: LendingActionInputRef, description: 'Borrow from a reserve.' }),
    lendingRepay: t.field({ type: LendingActionInputRef, description: 'Repay a debt.' }),
    lendingWithdraw: t.field({ type: LendingActionInputRef, description: 'Take a deposit out.' }),
    vaultDeposit: t.field({ type: VaultDepositInputRef, description: 'Deposit into a vault.' }),
    vaultWithdraw: t.field({ type: VaultWithdrawInputRef, description: 'Withdraw from a vault.' }),
  }),
});

export type LendingActionInput = typeof LendingActionInputRef.$inferInput;
export type VaultDepositInput = typeof VaultDepositInputRef.$inferInput;
export type VaultWithdrawInput = typeof VaultWithdrawInputRef.$inferInput;

function amountOf(input: LendingActionInput['amount']): AmountInput {
  if (input.tokens) return { tokens: toDecimalString(input.tokens) };
  return input.baseUnits === null || input.baseUnits === undefined
    ? { all: true }
    : { baseUnits: input.baseUnits };
}

function sharesOf(input: VaultWithdrawInput['amount']): ShareAmountInput {
  if (input.shares) return { shares: toDecimalString(input.shares) };
  return input.tokens ? { tokens: toDecimalString(input.tokens) } : { all: true };
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
