import { z } from '@hono/zod-openapi';
import { EVENT_INSTRUCTIONS } from '@sluice/protocol/transactions/read-transaction';
import { LendingInstruction } from '../obligations/transaction-schemas.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { nextToken } from '../values/pagination.ts';
import { programId } from '../values/program-id.ts';
import { QueueTransaction } from '../withdraw-queues/transaction-schemas.ts';
import { bulkBody, includeRawJson, rawJsonOut } from './bulk-read.ts';

const { lending, queue } = EVENT_INSTRUCTIONS;

export const BulkMarketParams = z.object({ pubkey: address('Address of the lending market.') });

export const BulkMarketQuery = z.object({ programId, includeRawJson });

const EXAMPLE = 'depositReserveLiquidityAndObligationCollateralV2';

export const MarketTransactionsBody = bulkBody(lending, EXAMPLE).openapi('MarketTransactionsBody');

export const AllMarketTransactionsBody = bulkBody([...lending, ...queue], EXAMPLE).openapi(
  'AllMarketTransactionsBody',
);

const place = {
  timestamp: dateOut('Time of the block.'),
  signature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
};

const BulkObligationTransaction = z
  .strictObject({
    ixs: z.array(LendingInstruction).openapi({
      description:
        'The instructions of the requested name that changed the obligation in this transaction, in order; one entry per side that changed.',
    }),
    ...place,
    obligation: addressOut('Address of the obligation.'),
    wallet: addressOut(
      'Owner of the obligation. 11111111111111111111111111111111 when none of the transactions read from the chain names it.',
    ),
    rawJson: rawJsonOut,
  })
  .openapi('BulkObligationTransaction');

const QueueInstruction = QueueTransaction.omit({
  createdOn: true,
  timestamp: true,
  transactionSignature: true,
  reserve: true,
  withdrawTicket: true,
}).openapi('QueueInstruction');

const BulkQueueTransaction = z
  .strictObject({
    ixs: z.array(QueueInstruction).openapi({
      description: 'The instructions of the requested name on the ticket in this transaction, in order.',
    }),
    ...place,
    wallet: addressOut('Owner of the ticket.'),
    reserve: addressOut('Address of the reserve.'),
    withdrawTicket: addressOut('Address of the ticket. The account may have been closed since.'),
    rawJson: rawJsonOut,
  })
  .openapi('BulkQueueTransaction');

const ROWS = 'At most 1,000; 100 with `includeRawJson`. A page may be empty and still have a next one.';

export const MarketTransactionsPage = z
  .strictObject({
    result: z.array(BulkObligationTransaction).openapi({ description: ROWS }),
    paginationToken: nextToken(),
  })
  .openapi('MarketTransactionsPage');

export const AllMarketTransactionsPage = z
  .strictObject({
    obligationTransactions: z
      .array(BulkObligationTransaction)
      .openapi({ description: `Of an instruction on obligations, otherwise empty. ${ROWS}` }),
    withdrawQueueTransactions: z
      .array(BulkQueueTransaction)
      .openapi({ description: `Of an instruction on tickets of withdraw queues, otherwise empty. ${ROWS}` }),
    paginationToken: nextToken(),
  })
  .openapi('AllMarketTransactionsPage');
