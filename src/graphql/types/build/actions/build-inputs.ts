import {
  type AmountInput,
  type BuildOptions,
  type ObligationChoice,
  obligationKey,
  type ShareAmountInput,
} from '../../../../services/builds/builds.ts';
import { buildOptions } from '../../../../services/builds/options-input.ts';
import { OBLIGATION_TAGS } from '../../../../services/obligations/tags.ts';
import { builder } from '../../../builder.ts';
import { ObligationTagRef } from '../../obligation/obligation-parts.ts';
import { DurableNonceInputRef, PriorityLevelRef, TipInputRef } from './transaction-options.ts';

const AllRef = builder.enumType('All', {
  description: 'Selects the whole amount.',
  values: { ALL: { description: 'The whole amount.' } } as const,
});

export const AmountInputRef = builder.inputType('AmountInput', {
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

export const ShareAmountInputRef = builder.inputType('ShareAmountInput', {
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

export const ObligationChoiceRef = builder.inputType('ObligationChoice', {
  description: 'An obligation of the wallet. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    address: t.field({ type: 'Address', description: 'Address of an existing obligation.' }),
    tagged: t.field({ type: TaggedObligationRef, description: 'An obligation by its purpose.' }),
  }),
});

export const BuildOptionsRef = builder.inputType('BuildOptions', {
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
      description:
        'Add a priority fee to each transaction, in micro-lamports per compute unit. Excludes `priorityFee`.',
    }),
    priorityFee: t.field({
      type: PriorityLevelRef,
      description:
        'Add a priority fee to each transaction, chosen from recent fees for the accounts that the build writes to. Selecting `transactions` or `simulation` then reads those fees. Excludes `priorityFeeMicroLamports`.',
    }),
    feePayer: t.field({
      type: 'Address',
      description:
        'Another signer that pays the fee, and the rent of accounts that are created. Defaults to the wallet, and must differ from it when it is given.',
    }),
    memo: t.string({
      description:
        'Text to log at the end of the last transaction, with the memo program: 1 to 566 bytes in UTF-8.',
    }),
    durableNonce: t.field({
      type: DurableNonceInputRef,
      description:
        'Give the transaction the nonce of this account instead of a recent blockhash, so that it does not expire. The first instruction advances the nonce. For builds of one transaction only.',
    }),
    tip: t.field({
      type: TipInputRef,
      description: 'Payment by the fee payer in the last instruction of the last transaction.',
    }),
    unwrapSol: t.boolean({
      description:
        'Whether to close the wrapped SOL account at the end. By default this depends on its balance before the action.',
    }),
    minSharesOut: t.field({
      type: 'Decimal',
      description:
        'For a vault deposit: the fewest shares to accept, in whole shares. The transaction fails rather than mint fewer, also when the deposit cap of the vault cuts the deposit. Excludes `slippageBps`.',
    }),
    slippageBps: t.int({
      description:
        'For a vault deposit: how far the shares may fall below those of the preview, in basis points, 0 to 10,000. Builds the same instruction as `minSharesOut`, which it excludes. A vault cuts a deposit at its deposit cap, and the preview is cut likewise: an offer of 1,000 of which the vault takes 5 passes. To refuse a cut deposit, pass `minSharesOut`.',
    }),
    lookupTables: t.field({
      type: ['Address'],
      description: 'Additional lookup tables to try, besides those of the vault, market and wallet.',
    }),
  }),
});

export function amountOf(input: typeof AmountInputRef.$inferInput): AmountInput {
  if (input.tokens) return { tokens: input.tokens };
  return input.baseUnits === null || input.baseUnits === undefined
    ? { all: true }
    : { baseUnits: input.baseUnits };
}

export function sharesOf(input: typeof ShareAmountInputRef.$inferInput): ShareAmountInput {
  if (input.shares) return { shares: input.shares };
  return input.tokens ? { tokens: input.tokens } : { all: true };
}

/** The options as a mutation takes them. */
export type GivenOptions = typeof BuildOptionsRef.$inferInput | null | undefined;

/** Options of the transactions. */
export function optionsOf(input: GivenOptions): BuildOptions {
  return buildOptions(input);
}

export function choiceOf(input: typeof ObligationChoiceRef.$inferInput | null | undefined): {
  obligation?: ObligationChoice;
} {
  if (input?.address) return { obligation: { address: input.address } };
  if (!input?.tagged) return {};
  const { tag, id, seed1, seed2 } = input.tagged;
  return {
    obligation: { key: obligationKey(OBLIGATION_TAGS.indexOf(tag), id ?? 0, seed1 ?? null, seed2 ?? null) },
  };
}
