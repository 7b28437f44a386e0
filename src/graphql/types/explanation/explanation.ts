import { isCodedError } from '../../../errors/sluice-error.ts';
import {
  explainTransaction,
  type TransactionExplanation,
} from '../../../services/explain/explain-transaction.ts';
import { simulateExplained } from '../../../services/explain/simulate-explained.ts';
import { transactionEffects } from '../../../services/explain/transaction-effects.ts';
import { builder } from '../../builder.ts';
import { INVALID_CODES, type Invalid, InvalidTransactionRef } from '../sending/send.ts';
import { SimulationRef } from '../sending/simulation.ts';
import {
  ExplainedInstructionRef,
  ExplainedSignerRef,
  ExplanationWarningRef,
  TransactionLifetimeRef,
  UnknownPartsRef,
} from './explanation-parts.ts';
import { TransactionEffectsRef } from './transaction-effects.ts';

export const TransactionExplanationRef = builder
  .objectRef<TransactionExplanation>('TransactionExplanation')
  .implement({
    description: 'Explanation of a transaction for a wallet that is asked to sign it.',
    isTypeOf: (value) => 'instructions' in (value as object),
    fields: (t) => ({
      version: t.string({
        description: 'Version of the message: "legacy" or "0".',
        resolve: ({ version }) => String(version),
      }),
      sizeBytes: t.exposeInt('sizeBytes', { description: 'Size in wire format, in bytes. At most 1232.' }),
      feePayer: t.expose('feePayer', { type: 'Address', description: 'Signer that pays the fee.' }),
      signers: t.expose('signers', {
        type: [ExplainedSignerRef],
        description: 'All signers; the fee payer is the first.',
      }),
      lifetime: t.expose('lifetime', {
        type: TransactionLifetimeRef,
        description: 'Lifetime of the transaction.',
      }),
      computeUnitLimit: t.exposeInt('computeUnitLimit', {
        nullable: true,
        description: 'Limit of compute units. Null when it sets none.',
      }),
      computeUnitPrice: t.expose('computeUnitPrice', {
        type: 'U64',
        nullable: true,
        description: 'Price of a compute unit in micro-lamports. Null when it sets none.',
      }),
      networkFeeLamports: t.expose('networkFeeLamports', {
        type: 'U64',
        nullable: true,
        description:
          'Fee in lamports: 5000 per signature, and the priority fee. Null when it has a price without a limit, or calls a program that verifies further signatures.',
      }),
      instructions: t.expose('instructions', {
        type: [ExplainedInstructionRef],
        description: 'Instructions, in order.',
      }),
      unknown: t.field({
        type: UnknownPartsRef,
        description: 'Parts of it that the gateway does not know.',
        resolve: (explanation) => explanation,
      }),
      warnings: t.expose('warnings', {
        type: [ExplanationWarningRef],
        description:
          'Warnings to read before signing. An empty list is no proof that the transaction is harmless: see `unknown` and `simulation`.',
      }),
      simulation: t.field({
        type: SimulationRef,
        nullable: true,
        description:
          'Result of simulating it on the cluster, with a fresh blockhash and without checking signatures. Balance changes are those of the wallet. Null, with an error, when the RPC cannot simulate it.',
        resolve: (explanation, _args, { session }) => simulateExplained(session, explanation),
      }),
      effects: t.field({
        type: TransactionEffectsRef,
        nullable: true,
        description:
          'Effects on loans and vault positions, from the accounts that the simulation leaves, whatever programs it calls. `simulation` and `effects` share one simulation. Null, with an error, when the RPC cannot simulate it.',
        resolve: (explanation, _args, { session }) => transactionEffects(session, explanation),
      }),
    }),
  });

const ExplanationResultRef = builder.unionType('ExplanationResult', {
  description: 'Result of `explainTransaction`. Use `__typename` to tell them apart.',
  types: [TransactionExplanationRef, InvalidTransactionRef],
});

builder.queryField('explainTransaction', (t) =>
  t.field({
    type: ExplanationResultRef,
    description:
      'Explains a transaction, whether this gateway or anyone else built it: its instructions in words, its accounts by role and name, what it does to positions, what is unknown, and what to look at before signing. Signed or not, legacy or version 0; lookup tables are read from the chain.',
    args: {
      transaction: t.arg({
        type: 'Base64',
        required: true,
        description: 'The transaction in wire format. Missing signatures are zeros.',
      }),
      wallet: t.arg({
        type: 'Address',
        required: false,
        description: 'The wallet that is asked to sign, called "you" in the texts. By default the fee payer.',
      }),
    },
    async resolve(_root, { transaction, wallet }, { session }): Promise<TransactionExplanation | Invalid> {
      try {
        return await explainTransaction(session, transaction, wallet ?? null);
      } catch (error) {
        if (isCodedError(error) && INVALID_CODES.includes(error.code)) return { error };
        throw error;
      }
    },
  }),
);
