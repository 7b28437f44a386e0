import type { ErrorCode } from '../../../errors/codes.ts';
import { type CodedError, isCodedError } from '../../../errors/sluice-error.ts';
import type { SendStatus, SentTransaction } from '../../../services/sending/sent-transaction.ts';
import { builder } from '../../builder.ts';
import { ProgramFailureRef } from './simulation.ts';

const SendStatusRef = builder.enumType('SendStatus', {
  description: 'Status of a signed transaction.',
  values: {
    PENDING: {
      description:
        'It has not landed, or it failed in a block that may still be dropped. It may still land: the gateway keeps resending it. Send it again or subscribe to `transaction` to learn more.',
    },
    PROCESSED: { description: 'It is in a block that may still be dropped.' },
    CONFIRMED: { description: 'It succeeded, in a block that two thirds of the stake have voted for.' },
    FINALIZED: { description: 'It succeeded, and its block can no longer be dropped.' },
    FAILED: { description: 'It is in a block, and it failed. Only its fee was charged.' },
    REJECTED: { description: 'Its simulation failed, so it was not sent. Nothing was charged.' },
    EXPIRED: {
      description:
        'Its blockhash is unknown or has expired, so it can no longer land: build it again. In a subscription, also a transaction that has not been seen for three minutes.',
    },
  } as const satisfies Record<SendStatus, { description: string }>,
});

const SendWaitRef = builder.enumType('SendWait', {
  description: 'State of a transaction to wait for.',
  values: {
    NONE: { description: 'Until an RPC endpoint has accepted it.' },
    PROCESSED: { description: 'Until it is in a block.' },
    CONFIRMED: { description: 'Until it is confirmed, has failed or has expired.' },
  } as const,
});

export const SentTransactionRef = builder.objectRef<SentTransaction>('SentTransaction').implement({
  description: 'A signed transaction and its status.',
  isTypeOf: (value) => 'status' in (value as object),
  fields: (t) => ({
    signature: t.exposeString('signature', {
      description: 'Signature of the fee payer in base58, which identifies the transaction.',
    }),
    status: t.expose('status', { type: SendStatusRef, description: 'Status of the transaction.' }),
    slot: t.expose('slot', {
      type: 'U64',
      nullable: true,
      description:
        'Slot of its block. Send it as `X-Min-Slot` to read the effect. Null until it is in a block.',
    }),
    error: t.expose('error', {
      type: ProgramFailureRef,
      nullable: true,
      description: 'Why it failed, was rejected or has expired, where that is known. Null otherwise.',
    }),
    logs: t.exposeStringList('logs', {
      description: 'Log lines of the programs, if it failed or was rejected. Empty otherwise.',
    }),
  }),
});

/** A transaction that was not sent or explained because of what it is. */
export interface Invalid {
  readonly error: CodedError;
}

export const INVALID_CODES: readonly ErrorCode[] = [
  'TRANSACTION_MALFORMED',
  'TRANSACTION_TOO_LARGE',
  'TRANSACTION_UNSIGNED',
  'TRANSACTION_SIGNATURE_INVALID',
];

export const InvalidTransactionRef = builder.objectRef<Invalid>('InvalidTransaction').implement({
  description:
    'The transaction is malformed, too large or, where it was to be sent, not signed by all of its signers. Nothing was sent to the cluster.',
  isTypeOf: (value) => isCodedError((value as Partial<Invalid>).error),
  fields: (t) => ({
    code: t.string({
      description: 'Stable error code, the same as in REST.',
      resolve: ({ error }) => error.code,
    }),
    message: t.string({
      description: 'Message that says what is wrong and what to do.',
      resolve: ({ error }) => error.message,
    }),
  }),
});

const SendResultRef = builder.unionType('SendResult', {
  description: 'Result of `sendTransaction`. Use `__typename` to tell them apart.',
  types: [SentTransactionRef, InvalidTransactionRef],
});

const SendTransactionInputRef = builder.inputType('SendTransactionInput', {
  description: 'A signed transaction.',
  fields: (t) => ({
    transaction: t.field({
      type: 'Base64',
      required: true,
      description: 'The transaction in wire format, with all of its signatures.',
    }),
    lastValidBlockHeight: t.field({
      type: 'U64',
      required: false,
      description:
        'Last block height at which the transaction is valid, as a builder or the RPC gave it with the blockhash. Saves the gateway from asking whether the blockhash is still valid.',
    }),
    wait: t.field({
      type: SendWaitRef,
      required: false,
      defaultValue: 'CONFIRMED',
      description: 'State to wait for, within the time limit of a request.',
    }),
  }),
});

builder.mutationField('sendTransaction', (t) =>
  t.field({
    type: SendResultRef,
    description:
      'Relays a transaction that a wallet has signed to the RPC endpoints, resends it until it is confirmed or has expired, and returns its status. The gateway never signs. The same transaction can be sent again at any time: it lands only once, and the answer gives its status. Fails with SENDING_DISABLED unless the operator has enabled sending; the localnet always has it.',
    args: {
      input: t.arg({
        type: SendTransactionInputRef,
        required: true,
        description: 'The transaction, and how long to wait for it.',
      }),
    },
    async resolve(_root, { input }, { session, platform }): Promise<SentTransaction | Invalid> {
      try {
        return await platform.sent.send(session, input);
      } catch (error) {
        if (isCodedError(error) && INVALID_CODES.includes(error.code)) return { error };
        throw error;
      }
    },
  }),
);
