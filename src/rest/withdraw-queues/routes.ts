import { paginateLive } from '../../services/paging/paging.ts';
import { queuedTickets } from '../../services/reserves/queue-places.ts';
import { reserveInView } from '../../services/reserves/reserves.ts';
import { withdrawQueue } from '../../services/reserves/withdraw-queue.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { nextPage } from '../values/pagination.ts';
import { ticketAnswer } from './answers.ts';
import { QueueParams, QueueQuery, WithdrawQueue } from './schemas.ts';

export const WITHDRAW_QUEUE = operation({
  id: 'getWithdrawQueue',
  method: 'get',
  path: '/reserves/{pubkey}/withdraw-queue',
  tag: 'Reserves',
  summary: 'The withdraw queue of a reserve, with its tickets',
  description:
    'Withdrawals that wait for liquidity, in the order in which they are paid, and what is paid now. An unknown reserve is a 400 with KLEND_RESERVE_NOT_FOUND.',
  graph:
    'query { reserve(address) { token { mint symbol } withdrawQueue { tickets collateral amount { amount usd } payable { amount } missing { amount } free { amount } minTicketUsd issuanceBlock paymentBlock cancellationBlock } withdrawTickets(first after) { nodes { address sequenceNumber owner { address } state createdAt collateral amount { amount usd } ticketsAhead amountAhead { amount } payable { amount } estimate { state paidAt missing { amount } inflow { perDay { amount } } } } pageInfo { hasNextPage endCursor } } } }',
  family: READ_ERRORS,
  holds: 'positions',
  params: QueueParams,
  query: QueueQuery,
  response: WithdrawQueue,
  example: ({ queuedReserve }) => ({ params: { pubkey: queuedReserve } }),
  async answer(call, { params, query: { limit, paginationToken: after } }) {
    const { session } = call;
    const { view } = session;
    const reserve = reserveInView(view, params.pubkey);
    const { mintPubkey } = reserve.value.liquidity;
    const queue = withdrawQueue(view, reserve);
    const page = await paginateLive(
      {
        key: ['reserve.withdrawTickets', reserve.address],
        read: async () => (await queuedTickets(session, reserve.address)).tickets,
        idOf: ({ address }) => address,
      },
      { first: limit, after },
    );
    return {
      reserve: reserve.address,
      mint: mintPubkey,
      symbol: tokenSymbol(view, mintPubkey),
      tickets: String(queue.tickets),
      collateralAmount: decimal(queue.collateral),
      amount: decimal(queue.amount.amount),
      payableAmount: decimal(queue.payable.amount),
      missingAmount: decimal(queue.missing.amount),
      freeAmount: decimal(queue.free.amount),
      ...(queue.amount.usd ? { value: decimal(queue.amount.usd) } : {}),
      ...(queue.minTicketUsd ? { minTicketUsd: decimal(queue.minTicketUsd) } : {}),
      issuanceBlock: queue.issuanceBlock,
      paymentBlock: queue.paymentBlock,
      cancellationBlock: queue.cancellationBlock,
      queue: await Promise.all(
        page.items.map(async ({ item }) => ({
          ...(await ticketAnswer(call, item)),
          owner: item.value.owner,
        })),
      ),
      ...nextPage(page),
    };
  },
});
