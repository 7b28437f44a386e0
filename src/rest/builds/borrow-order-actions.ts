import { z } from '@hono/zod-openapi';
import {
  cancelBorrowOrderAction,
  fillBorrowOrderAction,
  setBorrowOrderAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { amount, NOT_AN_OBJECT, options, parseAmount, wallet, whole } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const market = address('Address of the lending market.');
const obligation = ObligationChoiceBody.optional();
const MAX_SAFE_SECONDS = Number.MAX_SAFE_INTEGER;
const MAX_RATE_BPS = 2_147_483_647;

const index = (description: string) => whole(0, 2, description);

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.object({ ...shape, options }, { error: NOT_AN_OBJECT }).openapi(name);

const SET = ktxAction({
  name: 'setBorrowOrder',
  id: 'setBorrowOrder',
  mutation: 'buildSetBorrowOrder',
  path: '/ktx/klend/set-borrow-order',
  purpose: 'place or change a borrow order',
  body: body('SetBorrowOrderBody', {
    wallet,
    market,
    obligation,
    mint: address('Mint of the token to borrow, which cannot be changed later.'),
    amount: amount(
      'Amount to borrow from now on, in whole tokens, worth at least the minimum of the market.',
    ),
    maxBorrowRateBps: whole(
      1,
      MAX_RATE_BPS,
      'Maximum borrow rate, in basis points per year. The highest rate of a reserve must not be above it.',
    ),
    minTermSeconds: whole(
      0,
      MAX_SAFE_SECONDS,
      'Minimum term of the debt, in seconds. Debts without a term are accepted too. Defaults to 0: debts without a term only.',
    ).optional(),
    fillableUntil: whole(0, MAX_SAFE_SECONDS, 'Time until which the order can be filled, in Unix seconds.'),
    autoRollover: z.boolean({ error: 'must be true or false' }).optional().openapi({
      description:
        'Whether a debt that the order opens rolls over at the end of its term, on the terms of the order or to a debt without a term. Defaults to false.',
    }),
    index: index(
      'Place of the order in the obligation. An order that is there is changed. Defaults to the first free place.',
    ).optional(),
  }),
  example: (addresses) => ({
    wallet: addresses.orderingWallet,
    market: addresses.market,
    mint: addresses.tokenMint,
    amount: '250',
    maxBorrowRateBps: 800,
    fillableUntil: 4_102_444_800,
  }),
  actionOf: (source, { obligation: chosen, index: place, ...order }) =>
    setBorrowOrderAction(source, {
      wallet: order.wallet,
      market: order.market,
      ...obligationOf(chosen),
      mint: order.mint,
      amount: { tokens: parseAmount(order.amount) },
      maxBorrowRateBps: order.maxBorrowRateBps,
      minTermSeconds: BigInt(order.minTermSeconds ?? 0),
      fillableUntil: BigInt(order.fillableUntil),
      autoRollover: order.autoRollover ?? false,
      ...(place === undefined ? {} : { index: place }),
    }),
});

const CANCEL = ktxAction({
  name: 'cancelBorrowOrder',
  id: 'cancelBorrowOrder',
  mutation: 'buildCancelBorrowOrder',
  path: '/ktx/klend/cancel-borrow-order',
  purpose: 'cancel a borrow order',
  body: body('CancelBorrowOrderBody', {
    wallet,
    market,
    obligation,
    index: index('Place of the order in the obligation.'),
  }),
  example: ({ orderingWallet, market }) => ({ wallet: orderingWallet, market, index: 0 }),
  actionOf: (source, { obligation: chosen, ...order }) =>
    cancelBorrowOrderAction(source, {
      wallet: order.wallet,
      market: order.market,
      ...obligationOf(chosen),
      index: order.index,
    }),
});

const FILL = ktxAction({
  name: 'fillBorrowOrder',
  id: 'fillBorrowOrder',
  mutation: 'buildFillBorrowOrder',
  path: '/ktx/klend/fill-borrow-order',
  purpose: 'fill a borrow order of any wallet',
  body: body('FillBorrowOrderBody', {
    wallet: address(
      'Wallet that fills the order: it signs the transaction, and pays its fee unless there is another fee payer. It need not own the obligation, and receives nothing.',
    ),
    obligation: address('Address of the obligation of the order.'),
    index: index('Place of the order in the obligation.'),
    reserve: address('Address of the reserve to borrow from.'),
  }),
  example: (addresses) => ({
    wallet: addresses.wallet,
    obligation: addresses.orderedObligation,
    index: 0,
    reserve: addresses.reserve,
  }),
  actionOf: (source, { wallet, obligation, index, reserve }) =>
    fillBorrowOrderAction(source, { wallet, obligation, index, reserve }),
});

/** Actions on borrow orders. */
export const BORROW_ORDER_ACTIONS: readonly KtxAction[] = [SET, CANCEL, FILL];
