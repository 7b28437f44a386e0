import { z } from '@hono/zod-openapi';

const PlannedTransaction = z
  .object({
    transaction: z.string().openapi({
      format: 'byte',
      description: 'Unsigned version 0 transaction in base64, with zeros in place of its signatures.',
    }),
    steps: z.array(z.number()).openapi({ description: 'Indexes of the actions in this transaction.' }),
    setupOnly: z
      .boolean()
      .openapi({ description: 'Whether it only prepares accounts for the next transaction.' }),
    splitReason: z.enum(['SIZE', 'ACCOUNTS', 'FLASH_LOANS', 'ALONE', 'COMPUTE']).nullable().openapi({
      description:
        'Limit that a common transaction with the one before it would exceed: its size, its number of accounts, its compute units, one flash loan, or a step of the transfer of an obligation, which is alone. Null for the first.',
    }),
  })
  .openapi('PlannedTransaction');

export const PlannedTransactions = z
  .object({
    transactions: z
      .array(PlannedTransaction)
      .openapi({ description: 'The transactions to sign, in the order in which they must be sent.' }),
  })
  .openapi('PlannedTransactions');
