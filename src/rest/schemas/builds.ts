import { z } from '@hono/zod-openapi';
import { parseDecimal } from '../../numeric/decimal.ts';
import { U64_MAX } from '../../numeric/fraction.ts';
import { Rational } from '../../numeric/rational.ts';
import { address, addressOut, text } from './address.ts';

const LONGEST_AMOUNT = 400;

const amount = (description: string) =>
  text('a decimal such as "12.5"')
    .max(LONGEST_AMOUNT, `is longer than ${LONGEST_AMOUNT} characters`)
    .openapi({ description });

/** Parses the amount of a body. `U64::MAX` is another spelling of 2^64 - 1. @throws SluiceError DECIMAL_INVALID */
export function parseAmount(text: string): Rational {
  const trimmed = text.trim();
  return trimmed === 'U64::MAX' ? Rational.of(U64_MAX) : parseDecimal(trimmed);
}

const wallet = address('Wallet of the user, who signs the transaction and pays its fee.');

/** Body of the lending builders. `name` is that of the component. */
export const lendingBody = (name: string, what: string) =>
  z
    .object(
      {
        wallet,
        market: address('Address of the lending market.'),
        reserve: address('Address of the reserve. It must belong to `market`.'),
        amount: amount(what),
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

/** Body of the vault builders. `name` is that of the component. */
export const vaultBody = (name: string, what: string) =>
  z
    .object(
      {
        wallet,
        kvault: address('Address of the vault.'),
        amount: amount(what),
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

const NOT_AN_OBJECT = 'The body must be a JSON object with the documented fields.';

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
        'The instructions, in an order that the programs accept, without compute budget instructions.',
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
        'Unsigned version 0 transaction in base64. It has one signature of 64 zero bytes, the wallet as fee payer, a recent blockhash and its lookup tables.',
    }),
  })
  .openapi('BuiltTransaction');
