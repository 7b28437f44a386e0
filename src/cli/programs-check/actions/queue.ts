import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { BuildRequest } from '../build.ts';
import type { CheckedAction, Skipped } from '../checked-action.ts';
import { figure } from '../figures.ts';
import type { Ask } from '../gateway.ts';
import { type Ticket, ticketFigures, ticketsOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

/** Queues a part of the deposit and takes it back. */
export function queueActions(subject: Subject, obligation: Address): readonly CheckedAction[] {
  const { wallet, market, reserve, partialAmount } = subject;
  const request = (mutation: string, input: object): BuildRequest => ({
    mutation: `build${mutation}`,
    inputType: `${mutation}Input`,
    input: { wallet, ...input },
  });
  const own = async (ask: Ask, fits: (ticket: Ticket) => boolean, mutation: string, input: object) => {
    const ticket = (await ticketsOf(ask, wallet)).find(fits);
    if (ticket === undefined) return { skipped: 'the wallet has no such ticket' };
    return request(mutation, { ticket: ticket.address, ...input });
  };
  const action = (
    kind: CheckedAction['kind'],
    name: string,
    prepare: (ask: Ask) => Promise<BuildRequest | Skipped> | BuildRequest,
  ): CheckedAction => ({
    kind,
    name,
    prepare,
    // No ticket waits in the queue.
    nothingToDo: ['BUILD_REFUSED'],
    predicted: ({ withdrawQueue }) => ({ queued: figure(withdrawQueue?.collateral.after) ?? ZERO }),
    readBack: async (ask, preview) => await ticketFigures(ask, wallet, preview),
  });
  return [
    action('ENQUEUE_WITHDRAW', 'queue withdrawal', () =>
      request('EnqueueWithdraw', {
        market,
        reserve,
        obligation: { address: obligation },
        amount: { tokens: partialAmount },
      }),
    ),
    action(
      'CANCEL_WITHDRAW_TICKET',
      'cancel ticket',
      async (ask) =>
        await own(ask, ({ state }) => state !== 'INVALID', 'CancelWithdrawTicket', {
          amount: { all: 'ALL' },
        }),
    ),
    action('WITHDRAW_QUEUED', 'pay first ticket', () => request('WithdrawQueued', { market, reserve })),
    action(
      'RECOVER_WITHDRAW_TICKET',
      'recover ticket',
      async (ask) => await own(ask, ({ state }) => state === 'INVALID', 'RecoverWithdrawTicket', {}),
    ),
  ];
}
