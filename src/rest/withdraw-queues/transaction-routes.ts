import { z } from '@hono/zod-openapi';
import {
  enqueuedWithdrawals,
  MAX_ENQUEUED,
} from '../../services/history/withdraw-queues/enqueued-withdrawals.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { VaultParams } from '../vaults/schemas.ts';
import { queueTransactions } from './transaction-answers.ts';
import { QueueTransaction } from './transaction-schemas.ts';

export const QUEUE_ROW =
  'createdAt signature instruction kind ticketAddress reserveAddress reserve { token { mint symbol } } liquidity { amount } tokenPriceUsd solPriceUsd valueUsd';

export const ENQUEUED_WITHDRAWALS = operation({
  id: 'listEnqueuedWithdrawTransactions',
  method: 'get',
  path: '/kvaults/vaults/{pubkey}/enqueued-withdraw-transactions',
  tag: 'Vaults',
  summary: 'Withdrawals of an earn vault that wait in queues',
  description: `Entries into withdraw queues of reserves with collateral tokens that the vault paid for shares, whose tickets still wait: the newest ${MAX_ENQUEUED} of them, newest first. Valued at the prices recorded at that time. The first request reads the transactions from the chain; \`X-Complete: false\` says that some are missing. An unknown vault is a 400 with KVAULT_NOT_FOUND or ACCOUNT_NOT_FOUND.`,
  graph: `query { vault(address) { enqueuedWithdrawals { ${QUEUE_ROW} } } }`,
  family: READ_ERRORS,
  holds: 'never',
  params: VaultParams,
  response: z.array(QueueTransaction),
  example: ({ vault }) => ({ params: { pubkey: vault } }),
  async answer(call, { params }) {
    const { platform, session } = call;
    const { address } = await session.load('vault', params.pubkey);
    return await queueTransactions(call, await enqueuedWithdrawals(platform, session, address));
  },
});
