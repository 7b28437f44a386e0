import type { QueueFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { WithdrawTicketStateRef } from '../../withdraw-queue/withdraw-ticket.ts';
import { amountOf } from './preview-amount.ts';

export const QueuePreviewRef = builder.objectRef<QueueFigures>('WithdrawQueuePreview').implement({
  description: 'The ticket of an action on a withdraw queue, with the rounding of the program.',
  fields: (t) => ({
    ticket: t.expose('ticket', { type: 'Address', description: 'Address of the ticket.' }),
    sequenceNumber: t.expose('sequenceNumber', {
      type: 'U64',
      description: 'Number of the ticket in the queue of its reserve.',
    }),
    owner: t.expose('owner', { type: 'Address', description: 'Owner of the ticket.' }),
    destination: t.expose('destination', {
      type: 'Address',
      description: 'Token account to which the ticket is paid.',
    }),
    ticketsAhead: t.expose('ticketsAhead', {
      type: 'U64',
      nullable: true,
      description:
        'Number of tickets whose turn comes before that of the ticket, cancelled ones included. Null when its turn is over.',
    }),
    state: t.expose('state', {
      type: WithdrawTicketStateRef,
      nullable: true,
      description: 'State of the ticket afterwards. Null when the action closes it.',
    }),
    collateral: t.expose('collateral', {
      type: ChangeRef,
      description: 'Collateral tokens (cTokens) in the ticket, in whole tokens.',
    }),
    tokens: t.expose('tokens', {
      type: ChangeRef,
      description: 'Value of these collateral tokens, in whole tokens of the reserve.',
    }),
    paid: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Liquidity that the owner receives, in tokens of the reserve. Null when the action pays none.',
      resolve: ({ paid }, _args, context) => paid && amountOf(paid, context),
    }),
    returned: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Collateral tokens that return to the owner. Null when the action returns none.',
      resolve: ({ returned }, _args, context) => returned && amountOf(returned, context),
    }),
    rent: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'SOL that the wallet deposits for a new ticket. It returns when the ticket is closed, except the rent of the vault of queued collateral tokens, which the first ticket in a queue opens. Null for other actions.',
      resolve: ({ rent }, _args, context) => rent && amountOf(rent, context),
    }),
  }),
});
