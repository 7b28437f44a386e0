import { z } from '@hono/zod-openapi';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import {
  cancelOrderAction,
  setOrderAction,
  WATCHED_CONDITIONS,
  type WatchedCondition,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const market = address('Address of the lending market.');
const obligation = ObligationChoiceBody.optional();
const conditions = Object.keys(WATCHED_CONDITIONS) as [WatchedCondition, ...WatchedCondition[]];
const MAX_BONUS_BPS = 1_000;

const bonus = (description: string) =>
  z
    .number({ error: `must be a number from 0 to ${MAX_BONUS_BPS}` })
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(MAX_BONUS_BPS, `must be at most ${MAX_BONUS_BPS}`)
    .openapi({ type: 'integer', minimum: 0, maximum: MAX_BONUS_BPS, description });

const index = (description: string) =>
  z
    .number({ error: 'must be 0 or 1' })
    .int('must be a whole number')
    .min(0, 'must not be negative')
    .max(1, 'must be at most 1')
    .openapi({ type: 'integer', minimum: 0, maximum: 1, description });

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.object({ ...shape, options }, { error: NOT_AN_OBJECT }).openapi(name);

const SET = ktxAction({
  name: 'setObligationOrder',
  id: 'setObligationOrder',
  mutation: 'buildSetObligationOrder',
  path: '/ktx/klend/set-obligation-order',
  purpose: 'set a stop-loss or take-profit order',
  body: body('SetObligationOrderBody', {
    wallet,
    market,
    obligation,
    condition: z
      .enum(conditions, { error: `must be one of ${conditions.join(', ')}` })
      .openapi({ description: 'What the order watches.' }),
    threshold: amount(
      'Threshold of the condition: a loan-to-value or a distance to liquidation as a fraction, from "0.01" to below "1", or a ratio of prices.',
    ),
    amount: amount(
      'Debt that is repaid at most, in whole tokens of the only debt. U64::MAX (18446744073709551615) repays every debt.',
    ),
    minBonusBps: bonus('Bonus of the executor at the threshold, in basis points of the repaid value.'),
    maxBonusBps: bonus('Largest bonus of the executor, in basis points of the repaid value.'),
    index: index(
      'Place of the order in the obligation. An order that is there is replaced. Defaults to the first empty place.',
    ).optional(),
  }),
  example: (addresses) => ({
    wallet: addresses.wallet,
    market: addresses.market,
    condition: 'LTV_ABOVE' as const,
    threshold: '0.6',
    amount: 'U64::MAX',
    minBonusBps: 50,
    maxBonusBps: 200,
  }),
  actionOf: (source, { obligation: chosen, index: place, ...order }) =>
    setOrderAction(source, {
      wallet: order.wallet,
      market: order.market,
      ...obligationOf(chosen),
      condition: order.condition,
      threshold: parseDecimal(order.threshold.trim()),
      amount: { tokens: parseAmount(order.amount) },
      minBonusBps: order.minBonusBps,
      maxBonusBps: order.maxBonusBps,
      ...(place === undefined ? {} : { index: place }),
    }),
});

const CANCEL = ktxAction({
  name: 'cancelObligationOrder',
  id: 'cancelObligationOrder',
  mutation: 'buildCancelObligationOrder',
  path: '/ktx/klend/cancel-obligation-order',
  purpose: 'cancel an order of an obligation',
  body: body('CancelObligationOrderBody', {
    wallet,
    market,
    obligation,
    index: index('Place of the order in the obligation.'),
  }),
  example: (addresses) => ({ wallet: addresses.wallet, market: addresses.market, index: 0 }),
  actionOf: (source, { obligation: chosen, ...order }) =>
    cancelOrderAction(source, {
      wallet: order.wallet,
      market: order.market,
      ...obligationOf(chosen),
      index: order.index,
    }),
});

/** Actions on the orders of obligations. */
export const ORDER_ACTIONS: readonly KtxAction[] = [SET, CANCEL];
