import {
  cancelTicketAction,
  enqueueAction,
  payTicketAction,
  recoverTicketAction,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, BuildOptionsRef, choiceOf, ObligationChoiceRef } from './build-inputs.ts';

const EnqueueInputRef = builder.inputType('EnqueueWithdrawInput', {
  description: 'Input of an entry into the withdraw queue of a reserve.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the collateral, who signs the transaction, pays the rent of the ticket, and pays the fee unless there is another fee payer.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of a reserve in that market.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Amount to withdraw, in tokens of the reserve: as many collateral tokens are queued as are worth it now. `all` is resolved when the transaction is built: all collateral tokens of the wallet, or as much of the deposit as the debts allow, with a margin for the interest of 150 seconds.',
    }),
    obligation: t.field({
      type: ObligationChoiceRef,
      description:
        'Obligation to take the collateral from, under the limits of a withdrawal. Without one, the wallet itself must hold the collateral tokens.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const PayInputRef = builder.inputType('WithdrawQueuedInput', {
  description: 'Input of a payment from the withdraw queue of a reserve.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Any wallet, which signs the transaction and pays its fee unless there is another fee payer. The liquidity goes to the owner of the ticket.',
    }),
    market: t.field({ type: 'Address', required: true, description: 'Address of the market.' }),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of a reserve in that market.',
    }),
    ticket: t.field({
      type: 'Address',
      description:
        'Ticket that must be the first of the queue. The build is refused when it is not, with the number of tickets ahead of it. By default whichever ticket is the first.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const CancelInputRef = builder.inputType('CancelWithdrawTicketInput', {
  description: 'Input of a cancellation of a withdraw ticket.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the ticket, who signs the transaction and pays its fee unless there is another fee payer.',
    }),
    ticket: t.field({ type: 'Address', required: true, description: 'Address of the ticket.' }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Amount to cancel, in tokens of the reserve: as many collateral tokens return as are worth it now. `all` is what the ticket holds when the transaction is executed.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const RecoverInputRef = builder.inputType('RecoverWithdrawTicketInput', {
  description: 'Input of a recovery of the collateral tokens of an invalid withdraw ticket.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Any wallet, which signs the transaction and pays its fee unless there is another fee payer. The collateral tokens go to the owner of the ticket.',
    }),
    ticket: t.field({ type: 'Address', required: true, description: 'Address of the ticket.' }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const QUEUE_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'enqueueWithdraw',
    mutation: 'buildEnqueueWithdraw',
    kind: 'ENQUEUE_WITHDRAW',
    builds:
      "Builds an entry into the withdraw queue of a reserve, the way out when its liquidity is lent: collateral tokens are exchanged for a ticket, which is paid in the order of the queue from what is repaid or supplied. Missing token accounts are created. The ticket is paid to the wallet's associated account of the reserve's token; for SOL that is the account of wrapped SOL, which stays wrapped until the wallet unwraps it. The wallet deposits rent, most of which returns when the ticket is closed. The address of the ticket follows from its number: when somebody else enters the queue first, the transaction fails and must be built again.",
    input: EnqueueInputRef,
    actionOf: (source, { wallet, market, reserve, amount, obligation }) =>
      enqueueAction(source, { wallet, market, reserve, amount: amountOf(amount), ...choiceOf(obligation) }),
  }),
  actionField({
    name: 'withdrawQueued',
    mutation: 'buildWithdrawQueued',
    kind: 'WITHDRAW_QUEUED',
    builds:
      'Builds the payment of the first ticket in the withdraw queue of a reserve, in full or as far as there is liquidity. Anybody may send it. The last payment closes the ticket, and its rent returns to the owner. A ticket whose destination cannot be paid is only marked as invalid. An owner who pays the own ticket receives SOL, not wrapped SOL, unless `unwrapSol` says otherwise.',
    input: PayInputRef,
    actionOf: (source, { wallet, market, reserve, ticket }, options) =>
      payTicketAction(source, { wallet, market, reserve, ...(ticket ? { ticket } : {}), ...options }),
  }),
  actionField({
    name: 'cancelWithdrawTicket',
    mutation: 'buildCancelWithdrawTicket',
    kind: 'CANCEL_WITHDRAW_TICKET',
    builds:
      'Builds a cancellation of a withdraw ticket, or of a part of it: collateral tokens return to the wallet. A ticket without any stays in the queue until its turn; its rent returns then.',
    input: CancelInputRef,
    actionOf: (source, { wallet, ticket, amount }) =>
      cancelTicketAction(source, { wallet, ticket, amount: amountOf(amount) }),
  }),
  actionField({
    name: 'recoverWithdrawTicket',
    mutation: 'buildRecoverWithdrawTicket',
    kind: 'RECOVER_WITHDRAW_TICKET',
    builds:
      'Builds the return of the collateral tokens of an invalid withdraw ticket to its owner. The ticket is closed, and its rent returns to the owner too. Anybody may send it.',
    input: RecoverInputRef,
    actionOf: (source, { wallet, ticket }) => recoverTicketAction(source, { wallet, ticket }),
  }),
];
