import { type ExplainedLanded, explainLanded } from '../../../services/explain/explain-landed.ts';
import { builder } from '../../builder.ts';
import { BalanceChangeRef, ProgramFailureRef } from '../sending/simulation.ts';
import { TransactionExplanationRef } from './explanation.ts';

const LandedTransactionRef = builder.objectRef<ExplainedLanded>('LandedTransaction').implement({
  description: 'A transaction that is in a confirmed block, whether it succeeded or failed.',
  fields: (t) => ({
    signature: t.exposeString('signature', { description: 'Its signature in base58.' }),
    slot: t.expose('slot', { type: 'U64', description: 'Slot of its block.' }),
    blockTime: t.expose('blockTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of its block. Null when the RPC endpoint does not know it.',
    }),
    feeLamports: t.expose('feeLamports', {
      type: 'U64',
      description: 'Fee that the network took, in lamports, also of a transaction that failed.',
    }),
    error: t.expose('failure', {
      type: ProgramFailureRef,
      nullable: true,
      description: 'Error with which it failed, so that only its fee was charged. Null when it succeeded.',
    }),
    logs: t.exposeStringList('logs', {
      description: 'Log lines of the programs. Empty when the RPC endpoint has not kept them.',
    }),
    balanceChanges: t.expose('balanceChanges', {
      type: [BalanceChangeRef],
      description: 'Balances of the fee payer that it changed. SOL and wrapped SOL count as one.',
    }),
    explanation: t.expose('explanation', {
      type: TransactionExplanationRef,
      description:
        'Its instructions in words. Names are those of now; `simulation` and `effects` are of sending it again, so they do not describe what it did.',
    }),
  }),
});

builder.queryField('transaction', (t) =>
  t.field({
    type: LandedTransactionRef,
    nullable: true,
    description:
      'Fetches a transaction by its signature and explains it, whoever sent it. Null when the RPC endpoints do not have it: it has not landed, or is older than what they retain.',
    args: {
      signature: t.arg.string({ required: true, description: 'Signature of the transaction in base58.' }),
    },
    resolve: (_root, { signature }, { session, platform }) =>
      explainLanded(session, platform.sent, signature),
  }),
);
