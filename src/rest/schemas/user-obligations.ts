import { z } from '@hono/zod-openapi';
import { obligation } from '../../programs/klend/obligation.ts';
import { addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';
import { plainSchema } from './plain.ts';
import { RefreshedStats } from './refreshed-stats.ts';

/** Names of the purposes, by tag number. */
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
    'The decoded account, with the field names of the program. Integers of 64 bits and more are strings. Fields that end with Sf are scaled by 2^60. Empty slots are included.',
});

const ObligationPosition = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    mintAddress: addressOut(
      'Mint of the token. 11111111111111111111111111111111 when the reserve cannot be read.',
    ),
    amount: decimalOut(
      'Amount in base units of the token, with interest up to now. It has a fraction where interest has accrued less than one unit.',
    ),
    marketValueRefreshed: decimalOut('Value in USD. "0" when the price is unknown.'),
  })
  .openapi('ObligationPosition');

export const UserObligation = z
  .strictObject({
    obligationAddress: addressOut('Address of the obligation.'),
    state: ObligationState,
    deposits: z.array(ObligationPosition).openapi({ description: 'Deposits, in the order of the account.' }),
    borrows: z.array(ObligationPosition).openapi({ description: 'Debts, in the order of the account.' }),
    refreshedStats: RefreshedStats,
    obligationTag: z
      .int()
      .min(0)
      .openapi({ description: 'Purpose of the obligation, as the number stored on chain.' }),
    humanTag: z
      .union([z.enum(HUMAN_TAGS), z.string().regex(/^\d+$/)])
      .openapi({ description: 'Name of the purpose. For an unknown purpose, its number.' }),
  })
  .openapi('UserObligation');
