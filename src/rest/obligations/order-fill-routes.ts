import { z } from '@hono/zod-openapi';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { type OrderFill, orderFills } from '../../services/history/obligations/order-fills.ts';
import { timelineAt } from '../../services/history/obligations/timeline.ts';
import type { Session } from '../../services/request/session.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { integerOut } from '../values/decimal.ts';

const BorrowOrderFill = z
  .strictObject({
    eventType: z.enum(['partial_fill', 'full_fill']).openapi({
      description: 'Whether a part of the order was still to be borrowed afterwards.',
    }),
    eventTimestamp: dateOut('Time of the block.'),
    transactionSignature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    debtLiquidityMint: addressOut(
      'Mint of the token borrowed. 11111111111111111111111111111111 when the reserve no longer exists.',
    ),
    filledAmount: integerOut(
      'Amount that the owner of the order received, in base units, as in the borrow order of an obligation.',
    ),
  })
  .openapi('BorrowOrderFill');

const BorrowOrderFills = z
  .strictObject({ fills: z.array(BorrowOrderFill).openapi({ description: 'Fills, oldest first.' }) })
  .openapi('BorrowOrderFills');

const fillOf = (
  { view }: Session,
  { transaction: { time, signature, reserve, liquidity }, isFull }: OrderFill,
): AnswerOf<typeof BorrowOrderFill> => ({
  eventType: isFull ? 'full_fill' : 'partial_fill',
  eventTimestamp: new Date(time * 1_000).toISOString(),
  transactionSignature: signature,
  debtLiquidityMint: view.get('reserve', reserve)?.value.liquidity.mintPubkey ?? NO_ADDRESS,
  filledAmount: String(liquidity ?? 0n),
});

export const BORROW_ORDER_FILLS = operation({
  id: 'listBorrowOrderFills',
  method: 'get',
  path: '/v2/svc-market/obligations/{pubkey}/borrow-order-fills',
  tag: 'Lending',
  summary: 'Fills of the borrow order of an obligation',
  description:
    'Fills of the open order, or orders, oldest first. Without an open order, those of the last one if it was filled completely; an order that was cancelled or has expired leaves none. The first request reads the transactions of the obligation from the chain; `X-Complete: false` says that some are missing. An address that was never an obligation is a 400 with KLEND_OBLIGATION_NOT_FOUND.',
  graph:
    'query { obligation(address) { borrowOrderFills { isFull transaction { createdAt signature reserve { token { mint } } liquidity { baseUnits } } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params: z.object({ pubkey: address('Address of the obligation.') }),
  response: BorrowOrderFills,
  example: ({ obligation }) => ({ params: { pubkey: obligation } }),
  async answer({ platform, session }, { params }) {
    const timeline = await timelineAt(platform, session, params.pubkey, null);
    return { fills: orderFills(session, timeline).map((each) => fillOf(session, each)) };
  },
});
