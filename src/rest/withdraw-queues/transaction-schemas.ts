import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';

const priceOut = (what: string) => decimalOut(`${what} at that time. "0" when none was recorded.`);

export const QueueTransaction = z
  .strictObject({
    createdOn: dateOut('Time of the block.'),
    timestamp: z.int().openapi({ description: 'The same time in milliseconds since the Unix epoch.' }),
    transactionSignature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    transactionName: z
      .enum([
        'enqueueToWithdraw',
        'withdrawQueuedLiquidity',
        'cancelWithdrawTicket',
        'recoverInvalidTicketCollateral',
      ])
      .openapi({ description: 'Name of the instruction of the lending program.' }),
    transactionDisplayName: z
      .enum(['Enqueue', 'Withdraw', 'Cancel', 'Recover'])
      .openapi({ description: 'Kind of the transaction, for display.' }),
    reserve: addressOut('Address of the reserve.'),
    withdrawTicket: addressOut('Address of the ticket. The account may have been closed since.'),
    liquidityToken: z.string().openapi({
      description: 'Symbol of the reserve\u2019s token. Empty when the reserve no longer exists.',
    }),
    liquidityTokenMint: addressOut(
      'Mint of the reserve\u2019s token. 11111111111111111111111111111111 when the reserve no longer exists.',
    ),
    liquidityTokenAmount: decimalOut(
      'Amount in whole tokens of the reserve: what a `withdrawQueuedLiquidity` paid, otherwise the value of the collateral tokens moved, at their exchange rate at that time. "0" when it is unknown.',
    ),
    liquidityTokenPrice: priceOut('Price of one token in USD'),
    solPrice: priceOut('Price of SOL in USD'),
    liquidityUsdValue: priceOut('Value of the amount in USD'),
  })
  .openapi('QueueTransaction');

export const QueueTransactions = z.array(QueueTransaction).openapi({
  description: 'Transactions with tickets of the wallet in withdraw queues.',
});
