import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';

const BundleAccount = z
  .object({
    address: addressOut('Address of the account.'),
    role: z.enum(['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER']),
    signer: z
      .object({ address: addressOut('Address of the signer, the same as the account.') })
      .optional()
      .openapi({ description: 'Only present for signer roles.' }),
  })
  .openapi('BundleAccount');

const BundleInstruction = z
  .object({
    programAddress: addressOut('The program that executes the instruction.'),
    accounts: z.array(BundleAccount),
    data: z.string().openapi({ format: 'byte', description: 'Instruction data in base64.' }),
  })
  .openapi('BundleInstruction');

export const InstructionBundle = z
  .object({
    instructions: z.array(BundleInstruction).openapi({
      description:
        'The instructions, in an order that the programs accept, with those of the options but without compute budget instructions.',
    }),
    lutsByAddress: z.record(z.string(), z.array(addressOut('An entry of the table.'))).openapi({
      description: 'Each usable lookup table with all its entries, in index order.',
    }),
  })
  .openapi('InstructionBundle');

export const BuiltTransaction = z
  .object({
    transaction: z.string().openapi({
      format: 'byte',
      description:
        'Unsigned version 0 transaction in base64. It has one signature of 64 zero bytes, the wallet as fee payer, a recent blockhash and its lookup tables; with another fee payer or a durable nonce as `options` say, and with a second signature for a permissioned vault, market or reserve.',
    }),
  })
  .openapi('BuiltTransaction');
