import { z } from '@hono/zod-openapi';
import { addressOut, text } from '../values/address.ts';
import { integerOut } from '../values/decimal.ts';
import { orNull } from '../values/or-null.ts';
import { u64 } from '../values/u64.ts';

const NOT_AN_OBJECT = 'The body must be a JSON object with the documented fields.';

/** Body of `POST /transactions`. */
export const SendBody = z
  .object(
    {
      transaction: text('a signed transaction in base64').openapi({
        format: 'byte',
        description: 'The transaction in wire format, with all of its signatures, in base64.',
      }),
      lastValidBlockHeight: u64(
        'Last block height at which the transaction is valid, as the RPC gave it with the blockhash. Saves the gateway from asking whether the blockhash is still valid.',
      ).optional(),
      wait: z
        .enum(['NONE', 'PROCESSED', 'CONFIRMED'], { error: 'must be NONE, PROCESSED or CONFIRMED' })
        .optional()
        .openapi({
          description:
            'State to wait for, within the time limit of a request: until an RPC endpoint has accepted it, until it is in a block, or until it is confirmed (default).',
        }),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('SendBody');

const TransactionError = z
  .object({
    instructionIndex: z
      .int()
      .nullable()
      .openapi({ description: 'Index of the failing instruction. Null when none ran.' }),
    programAddress: addressOut('The program that failed. Null when none ran.').nullable(),
    code: z
      .int()
      .nullable()
      .openapi({ description: 'Error code of the program. Null for an error of the runtime.' }),
    name: z.string().nullable().openapi({ description: 'Name of the error. Null when unknown.' }),
    message: z.string().openapi({ description: 'Meaning of the error and its remedy.' }),
  })
  .openapi('TransactionError');

/** Answer of `POST /transactions`. */
export const SentTransaction = z
  .object({
    signature: z.string().openapi({ description: 'Signature of the fee payer in base58.' }),
    status: z
      .enum(['PENDING', 'PROCESSED', 'CONFIRMED', 'FINALIZED', 'FAILED', 'REJECTED', 'EXPIRED'])
      .openapi({
        description:
          'PENDING: not confirmed yet; the gateway keeps resending it. PROCESSED: in a block that may still be dropped. CONFIRMED, FINALIZED: it succeeded. FAILED: it is in a block, and it failed. REJECTED: its simulation failed, so it was not sent. EXPIRED: it can no longer land; build it again.',
      }),
    slot: integerOut('Slot of its block, for `X-Min-Slot`. Null until it is in a block.').nullable(),
    error: orNull(TransactionError, 'Why it failed, was rejected or has expired. Null otherwise.'),
    logs: z
      .array(z.string())
      .openapi({ description: 'Log lines of the programs, if it failed or was rejected.' }),
  })
  .openapi('SentTransaction');
