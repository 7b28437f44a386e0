import { z } from '@hono/zod-openapi';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { address, addressOut, text } from '../values/address.ts';
import { ObligationChoiceBody } from './obligation-choice-schemas.ts';
import { BuildOptionsBody } from './option-schemas.ts';

const LONGEST_AMOUNT = 400;
const NOT_AN_OBJECT = 'The body must be a JSON object with the documented fields.';

const amount = (description: string) =>
  text('a decimal such as "12.5"')
    .max(LONGEST_AMOUNT, `is longer than ${LONGEST_AMOUNT} characters`)
    .openapi({ description });

/** Parses the amount of a body. `U64::MAX` is another spelling of 2^64 - 1. @throws SluiceError DECIMAL_INVALID */
export function parseAmount(text: string): Rational {
  const trimmed = text.trim();
  return trimmed === 'U64::MAX' ? Rational.of(U64_MAX) : parseDecimal(trimmed);
}

const wallet = address(
  'Wallet of the user, who signs the transaction and, unless there is another fee payer, pays its fee.',
);
const options = BuildOptionsBody.optional();

/** Body of the lending builders. `name` is that of the component. */
export const lendingBody = (name: string, what: string) =>
  z
    .object(
      {
        wallet,
        market: address('Address of the lending market.'),
        reserve: address('Address of the reserve. It must belong to `market`.'),
        amount: amount(what),
        obligation: ObligationChoiceBody.optional(),
        options,
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
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

const MAX_FARMS = 100;

/** Body of a claim of rewards. */
export const ClaimRewardsBody = z
  .object(
    {
      wallet,
      farms: z
        .array(address('Address of a farm.'))
        .min(1, 'names no farm: omit it to claim from all')
        .max(MAX_FARMS, `names more than ${MAX_FARMS} farms`)
        .optional()
        .openapi({ description: 'Farms to claim from. By default all in which the wallet has a stake.' }),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('ClaimRewardsBody');

const MAX_GROUP = 32;

/** Body of a move to an elevation group. */
export const ElevationGroupBody = z
  .object(
    {
      wallet,
      market: address('Address of the lending market.'),
      group: z
        .number({ error: 'must be a number from 0 to 32' })
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .max(MAX_GROUP, `must be at most ${MAX_GROUP}`)
        .openapi({
          type: 'integer',
          description: 'Number of the elevation group; 0 to leave the present one.',
        }),
      obligation: ObligationChoiceBody.optional(),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('ElevationGroupBody');

/** Body of the liquidation builders. `name` is that of the component. */
export const liquidationBody = (name: string) =>
  z
    .object(
      {
        wallet: address('The liquidator, who signs the transaction and pays its fee.'),
        obligation: address("Address of the obligation to liquidate. It may be anyone's."),
        repayReserve: address('Reserve of the debt to repay.'),
        withdrawReserve: address('Reserve of the collateral to receive.'),
        amount: amount(
          'Debt to repay at most, in whole tokens. U64::MAX (18446744073709551615) means as much as the program allows at once.',
        ),
        minCollateral: amount(
          "Least collateral to receive after the protocol's fee, in whole tokens of the collateral. No minimum by default.",
        ).optional(),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

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
