import { z } from '@hono/zod-openapi';
import { obligation } from '../../programs/klend/obligation.ts';
import { addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';
import { plainSchema } from './plain.ts';
import { RefreshedStats } from './refreshed-stats.ts';

/** By number. */
export const HUMAN_TAGS = [
  'Vanilla',
  'Multiply',
  'Lending',
  'Leverage',
  'LendingFixedRate',
  'MultiplyFixedRate',
  'LeverageFixedRate',
] as const;

const ObligationState = plainSchema(obligation.body).openapi('ObligationState', {
  description:
    'The decoded account under the program’s own names. Integers of 64 bits and more are texts; a name that ends with Sf is scaled by 2^60; empty slots are kept.',
});

const ObligationPosition = z
  .strictObject({
    reserve: addressOut('Reserve of the position.'),
    mintAddress: addressOut(
      'Mint of its token; 11111111111111111111111111111111 when the reserve cannot be read.',
    ),
    amount: decimalOut(
      'Base units of the token, with interest up to now: a fraction is what accrues between units.',
    ),
    marketValueRefreshed: decimalOut('USD; "0" when the price is unknown.'),
  })
  .openapi('ObligationPosition');

export const UserObligation = z
  .strictObject({
    obligationAddress: addressOut('Address of the obligation.'),
    state: ObligationState,
    deposits: z.array(ObligationPosition).openapi({ description: 'Used slots, in the account’s order.' }),
    borrows: z.array(ObligationPosition).openapi({ description: 'Used slots, in the account’s order.' }),
    refreshedStats: RefreshedStats,
    obligationTag: z.int().min(0).openapi({ description: 'What it is for, as a number.' }),
    humanTag: z
      .union([z.enum(HUMAN_TAGS), z.string().regex(/^\d+$/)])
      .openapi({ description: 'The same as a word; a number that has no word yet stands for itself.' }),
  })
  .openapi('UserObligation');
