import { z } from '@hono/zod-openapi';
import { obligation } from '@sluice/protocol/klend/obligation';
import { addressOut } from '../values/address.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { plainSchema } from '../values/layout-schema.ts';
import { emptyObject, ObligationMarket } from './obligation-market.ts';
import { RefreshedStats } from './refreshed-stats-schemas.ts';

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

export const humanTag = z
  .union([z.enum(HUMAN_TAGS), z.string().regex(/^\d+$/)])
  .openapi({ description: 'Name of the purpose. For an unknown purpose, its number.' });

export const humanTagOf = (tag: number): string => HUMAN_TAGS[tag] ?? String(tag);

const ObligationState = plainSchema(obligation.body, {
  lastUpdate: 'LastUpdate',
  deposits: 'ObligationCollateral',
  borrows: 'ObligationLiquidity',
  cumulativeBorrowRateBsf: 'BigFraction',
  fixedTermBorrowRolloverConfig: 'RolloverConfig',
  obligationOrders: 'ObligationOrder',
  headBorrowOrder: 'StoredBorrowOrder',
  tailBorrowOrders: 'StoredBorrowOrder',
});

const UserObligationState = ObligationState.extend({
  borrowOrder: ObligationState.shape.headBorrowOrder,
}).openapi('ObligationState', {
  description:
    'The decoded account, with the field names of the program, and `borrowOrder`, the former name of `headBorrowOrder`. Integers of 64 bits and more are strings. Fields that end with Sf are scaled by 2^60. Empty slots are included.',
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

const seconds = (description: string) => integerOut(`${description}, in Unix seconds.`);
const flag = (description: string) => z.int().min(0).max(255).openapi({ description });

export const BorrowOrder = z
  .strictObject({
    debtLiquidityMint: addressOut('Mint of the token to borrow.'),
    remainingDebtAmount: integerOut('Amount that is still to be borrowed, in base units.'),
    filledDebtDestination: addressOut('Token account that receives the borrowed tokens.'),
    minDebtTermSeconds: integerOut(
      'Minimum term of the debt, in seconds. "0" accepts only debts without a term.',
    ),
    fillableUntilTimestamp: seconds('Time until which the order can be filled'),
    placedAtTimestamp: seconds('Time when the order was placed'),
    lastUpdatedAtTimestamp: seconds('Time when the order was last changed'),
    requestedDebtAmount: integerOut('Amount that was requested, in base units.'),
    maxBorrowRateBps: z.int().min(0).openapi({
      description:
        'Maximum borrow rate, in basis points per year. Compared with the highest rate of a reserve, not with its present one.',
    }),
    active: flag('1 for an open order.'),
    enableAutoRolloverOnFilledBorrows: flag('1 when the filled debt rolls over at the end of its term.'),
  })
  .openapi('BorrowOrder');

/** An integer of the order as the contract writes it: zero has two digits. */
const orderInteger = (description: string) =>
  z.string().openapi({ pattern: '^(00|[1-9][0-9]*)$', description: `${description} "00" for zero.` });

/** Borrow order 0 of an obligation in the form of the contract, which has no flag for an open order. */
export const UserBorrowOrder = z
  .strictObject({
    debtLiquidityMint: addressOut(
      'Mint of the token to borrow. 11111111111111111111111111111111 without an order.',
    ),
    remainingDebtAmount: orderInteger('Amount that is still to be borrowed, in base units, decimal.'),
    filledDebtDestination: addressOut('Token account that receives the borrowed tokens.'),
    minDebtTermSeconds: orderInteger('Minimum term of the debt, in seconds, decimal.'),
    fillableUntilTimestamp: orderInteger(
      'Time until which the order can be filled, in Unix seconds, decimal.',
    ),
    placedAtTimestamp: orderInteger('Time when the order was placed, in Unix seconds, decimal.'),
    lastUpdatedAtTimestamp: orderInteger('Time when the order was last changed, in Unix seconds, decimal.'),
    requestedDebtAmount: orderInteger('Amount that was requested, in base units, decimal.'),
    maxBorrowRateBps: z.int().min(0).openapi({
      description:
        'Maximum borrow rate, in basis points per year. Compared with the highest rate of a reserve, not with its present one.',
    }),
    enableAutoRolloverOnFilledBorrows: z
      .boolean()
      .openapi({ description: 'Whether the filled debt rolls over at the end of its term.' }),
  })
  .openapi('UserBorrowOrder', {
    description: 'The open borrow order: what to borrow, and on which terms. All zero without one.',
  });

const ObligationPositions = z
  .strictObject({
    deposits: z.array(ObligationPosition).openapi({ description: 'Deposits, in the order of the account.' }),
    borrows: z.array(ObligationPosition).openapi({ description: 'Debts, in the order of the account.' }),
  })
  .openapi('ObligationPositions', { description: 'Deposits and debts with interest up to now.' });

export const UserObligation = z
  .strictObject({
    obligationAddress: addressOut('Address of the obligation.'),
    market: ObligationMarket,
    state: UserObligationState,
    borrowOrder: UserBorrowOrder,
    deposits: emptyObject('Always empty, for clients of the contract: see `positions.deposits`.'),
    borrows: emptyObject('Always empty, for clients of the contract: see `positions.borrows`.'),
    positions: ObligationPositions,
    refreshedStats: RefreshedStats,
    obligationTag: z
      .int()
      .min(0)
      .openapi({ description: 'Purpose of the obligation, as the number stored on chain.' }),
    humanTag,
  })
  .openapi('UserObligation');
