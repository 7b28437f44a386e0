import { z } from '@hono/zod-openapi';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { ActionOptionsInput } from '../../services/builds/action-options.ts';
import { address, text } from '../values/address.ts';
import { u64 } from '../values/u64.ts';

const NOT_AN_OBJECT = 'must be an object with the documented fields';
const LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
const MOST_TABLES = 16;
const LONGEST_AMOUNT = 400;

const flag = (description: string) =>
  z.boolean({ error: 'must be true or false' }).optional().openapi({ description });

const DurableNonce = z
  .object(
    {
      account: address('Address of the nonce account.'),
      authority: address('The authority that the account stores. It must be the wallet or the fee payer.'),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('DurableNonce', {
    description:
      'Gives the transaction the nonce of this account instead of a recent blockhash, so that it does not expire. The first instruction advances the nonce.',
  });

const Tip = z
  .object(
    {
      account: address('Account that receives the tip.'),
      lamports: u64('Amount in lamports, at least 1.'),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('Tip', { description: 'Payment by the fee payer in the last instruction.' });

/** The optional `options` of every builder, the same as in GraphQL. */
export const BuildOptionsBody = z
  .object(
    {
      strict: flag(
        'Reject the build when the program would currently reject the transaction. Without it nothing is checked.',
      ),
      feePayer: address(
        'Another signer that pays the fee, and the rent of accounts that are created. It must differ from the wallet, and the transaction then has two signatures.',
      ).optional(),
      memo: text('a text of 1 to 566 bytes in UTF-8')
        .optional()
        .openapi({ description: 'Text to log at the end with the memo program: 1 to 566 bytes in UTF-8.' }),
      durableNonce: DurableNonce.optional(),
      computeUnitLimit: z
        .int('must be a whole number')
        .optional()
        .openapi({ description: 'Compute unit limit of the transaction, at most 1,400,000.' }),
      priorityFeeMicroLamports: u64(
        'Priority fee in micro-lamports per compute unit. Excludes `priorityFee`.',
      ).optional(),
      priorityFee: z
        .enum(LEVELS, { error: `must be ${LEVELS.join(', ')}` })
        .optional()
        .openapi({
          description:
            'Priority fee chosen from recent fees for the accounts that the transaction writes to: the 25th, 50th or 90th percentile. Excludes `priorityFeeMicroLamports`.',
        }),
      tip: Tip.optional(),
      unwrapSol: flag(
        'Whether to close the wrapped SOL account at the end. By default this depends on its balance before the action.',
      ),
      minSharesOut: text('a decimal such as "12.5"')
        .max(LONGEST_AMOUNT, `is longer than ${LONGEST_AMOUNT} characters`)
        .optional()
        .openapi({
          description:
            'For a vault deposit: the fewest shares to accept, in whole shares. The transaction fails rather than mint fewer, also when the deposit cap of the vault cuts the deposit. Excludes `slippageBps`.',
        }),
      slippageBps: z.int('must be a whole number').optional().openapi({
        description:
          'For a vault deposit: how far the shares may fall below those that it buys now, in basis points, 0 to 10,000. A vault cuts a deposit at its deposit cap, and the preview is cut likewise: an offer of 1,000 of which the vault takes 5 passes. To refuse a cut deposit, pass `minSharesOut` instead. Excludes `minSharesOut`.',
      }),
      lookupTables: z
        .array(address('Address of a lookup table.'), { error: 'must be a list of addresses' })
        .max(MOST_TABLES, `has more than ${MOST_TABLES} tables`)
        .optional()
        .openapi({ description: 'Additional lookup tables to try.' }),
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('BuildOptions', {
    description:
      'Options of the transaction. Compute limit and priority fee are not part of `-instructions` answers, whose caller sets them.',
  });

type OptionsBody = z.output<typeof BuildOptionsBody>;

/** Options of the action itself. @throws DECIMAL_INVALID */
export function givenActionOptions(options: OptionsBody | undefined): ActionOptionsInput {
  const { unwrapSol, minSharesOut, slippageBps } = options ?? {};
  return {
    unwrapSol,
    slippageBps,
    minSharesOut: minSharesOut === undefined ? undefined : parseDecimal(minSharesOut.trim()),
  };
}
