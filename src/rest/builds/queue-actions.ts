import { z } from '@hono/zod-openapi';
import {
  cancelTicketAction,
  enqueueAction,
  payTicketAction,
  recoverTicketAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const market = address('Address of the lending market.');
const reserve = address('Address of the reserve. It must belong to `market`.');
const ticket = address('Address of the ticket.');
/** Payment and recovery are open to anybody. */
const anyWallet = address('Any wallet, which signs the transaction and pays its fee.');

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.object({ ...shape, options }, { error: NOT_AN_OBJECT }).openapi(name);

const ENQUEUE = ktxAction({
  name: 'enqueueWithdraw',
  id: 'enqueueWithdraw',
  mutation: 'buildEnqueueWithdraw',
  path: '/ktx/klend/enqueue-withdraw',
  purpose: 'queue a withdrawal from a reserve whose liquidity is lent',
  body: body('EnqueueWithdrawBody', {
    wallet,
    market,
    reserve,
    amount: amount(`Amount to withdraw, in whole tokens of the reserve. ${ALL}`),
    obligation: ObligationChoiceBody.optional().openapi({
      description:
        'Obligation to take the collateral from. Without one, the wallet itself must hold the collateral tokens.',
    }),
  }),
  example: (addresses) => ({
    wallet: addresses.wallet,
    market: addresses.market,
    reserve: addresses.depositReserve,
    amount: '1.5',
    obligation: { address: addresses.obligation },
  }),
  actionOf: (source, { obligation, amount: tokens, ...place }) =>
    enqueueAction(source, {
      wallet: place.wallet,
      market: place.market,
      reserve: place.reserve,
      amount: { tokens: parseAmount(tokens) },
      ...obligationOf(obligation),
    }),
});

const PAY = ktxAction({
  name: 'withdrawQueued',
  id: 'withdrawQueued',
  mutation: 'buildWithdrawQueued',
  path: '/ktx/klend/withdraw-queued',
  purpose: 'pay the first ticket in the withdraw queue of a reserve',
  body: body('WithdrawQueuedBody', {
    wallet: anyWallet,
    market,
    reserve,
    ticket: address(
      'Ticket that must be the first of the queue. By default whichever ticket is the first.',
    ).optional(),
  }),
  example: ({ wallet: payer, queuedMarket, queuedReserve }) => ({
    wallet: payer,
    market: queuedMarket,
    reserve: queuedReserve,
  }),
  actionOf: (source, { ticket: expected, ...place }, given) =>
    payTicketAction(source, {
      wallet: place.wallet,
      market: place.market,
      reserve: place.reserve,
      ...(expected === undefined ? {} : { ticket: expected }),
      ...given,
    }),
});

const CANCEL = ktxAction({
  name: 'cancelWithdrawTicket',
  id: 'cancelWithdrawTicket',
  mutation: 'buildCancelWithdrawTicket',
  path: '/ktx/klend/cancel-withdraw-ticket',
  purpose: 'cancel a withdraw ticket, or a part of it',
  body: body('CancelWithdrawTicketBody', {
    wallet,
    ticket,
    amount: amount(`Amount to cancel, in whole tokens of the reserve. ${ALL}`),
  }),
  example: ({ queuedWallet, queuedTicket }) => ({
    wallet: queuedWallet,
    ticket: queuedTicket,
    amount: '1.5',
  }),
  actionOf: (source, { wallet: owner, ticket: owned, amount: tokens }) =>
    cancelTicketAction(source, {
      wallet: owner,
      ticket: owned,
      amount: { tokens: parseAmount(tokens) },
    }),
});

const RECOVER = ktxAction({
  name: 'recoverWithdrawTicket',
  id: 'recoverWithdrawTicket',
  mutation: 'buildRecoverWithdrawTicket',
  path: '/ktx/klend/recover-withdraw-ticket',
  purpose: 'return the collateral tokens of an invalid withdraw ticket',
  body: body('RecoverWithdrawTicketBody', { wallet: anyWallet, ticket }),
  example: ({ wallet: payer, queuedTicket }) => ({ wallet: payer, ticket: queuedTicket }),
  actionOf: (source, { wallet: payer, ticket: invalid }) =>
    recoverTicketAction(source, { wallet: payer, ticket: invalid }),
});

/** Actions on the withdraw queues of reserves. */
export const QUEUE_ACTIONS: readonly KtxAction[] = [ENQUEUE, PAY, CANCEL, RECOVER];
