import { z } from '@hono/zod-openapi';
import { address, addressOut, text } from './address.ts';

const LONGEST_AMOUNT = 400;

const amount = (description: string) =>
  text('a decimal such as "12.5"')
    .max(LONGEST_AMOUNT, `is longer than ${LONGEST_AMOUNT} characters`)
    .openapi({ description });

const wallet = address('Wallet of the user; the signer and fee payer.');

/** Body of the lending builders. */
export const lendingBody = (what: string) =>
  z.object(
    {
      wallet,
      market: address('Lending market.'),
      reserve: address('Reserve; it must belong to `market`.'),
      amount: amount(what),
    },
    { error: NOT_AN_OBJECT },
  );

/** Body of the vault builders. */
export const vaultBody = (what: string) =>
  z.object(
    {
      wallet,
      kvault: address('Vault.'),
      amount: amount(what),
    },
    { error: NOT_AN_OBJECT },
  );

const NOT_AN_OBJECT = 'The body must be a JSON object with the documented fields.';

const BundleAccount = z.object({
  address: addressOut('The account.'),
  role: z.enum(['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER']),
  signer: z
    .object({ address: addressOut('The same address.') })
    .optional()
    .openapi({ description: 'Only beside the roles of signers.' }),
});

const BundleInstruction = z.object({
  programAddress: addressOut('The program that runs it.'),
  accounts: z.array(BundleAccount),
  data: z.string().openapi({ format: 'byte', description: 'Base64.' }),
});

export const InstructionBundle = z
  .object({
    instructions: z.array(BundleInstruction).openapi({
      description: 'In an order that the programs accept; no compute-budget instruction among them.',
    }),
    lutsByAddress: z.record(z.string(), z.array(addressOut('An address of the table.'))).openapi({
      description: 'Each usable lookup table with its whole content, in order: indexes count from its start.',
    }),
  })
  .openapi('InstructionBundle');

export const BuiltTransaction = z
  .object({
    transaction: z.string().openapi({
      format: 'byte',
      description:
        'Base64 of an unsigned v0 transaction: one signature slot of 64 zero bytes, the wallet as fee payer, a recent blockhash, lookup tables used.',
    }),
  })
  .openapi('BuiltTransaction');
