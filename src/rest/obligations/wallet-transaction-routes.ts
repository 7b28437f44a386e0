import { z } from '@hono/zod-openapi';
import {
  type TransactionsByMarket,
  walletTransactionsByMarket,
} from '../../services/history/obligations/transactions.ts';
import { allQueueTransactions } from '../../services/history/withdraw-queues/queue-transactions.ts';
import { marketInView } from '../../services/markets/markets.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type Operation, operation } from '../operation/operation.ts';
import { addressOut } from '../values/address.ts';
import { env } from '../values/env.ts';
import { onceOf } from '../values/query-values.ts';
import { queueTransactions } from '../withdraw-queues/transaction-answers.ts';
import { QUEUE_ROW } from '../withdraw-queues/transaction-routes.ts';
import { QueueTransactions } from '../withdraw-queues/transaction-schemas.ts';
import { type Sort, sorted, transactionsByObligation } from './transaction-answers.ts';
import { ROW } from './transaction-routes.ts';
import {
  LendingTransactionsByObligation,
  LendingUserParams,
  MarketUserParams,
} from './transaction-schemas.ts';

/** Lending transactions of a wallet with those of its tickets in withdraw queues. */

const WalletTransactionQuery = z.object({
  env,
  sort: onceOf(
    ['asc', 'desc'],
    'Order by time: `asc` for oldest first, `desc` for newest first. Defaults to `asc`.',
  ),
});

const WalletTransactions = z
  .strictObject({
    obligations: LendingTransactionsByObligation,
    withdrawQueueTransactions: QueueTransactions,
  })
  .openapi('WalletTransactions');

const MarketWalletTransactions = z
  .strictObject({
    market: addressOut('Address of the lending market.'),
    obligations: LendingTransactionsByObligation,
    withdrawQueueTransactions: QueueTransactions,
  })
  .openapi('MarketWalletTransactions');

async function inMarket(
  call: Call,
  obligations: NonNullable<ReturnType<TransactionsByMarket['get']>>,
  queue: Awaited<ReturnType<typeof allQueueTransactions>>,
  sort: Sort = 'asc',
) {
  const [byObligation, withdrawQueueTransactions] = await Promise.all([
    transactionsByObligation(call, obligations, sort),
    queueTransactions(call, sorted(queue, sort)),
  ]);
  return { obligations: byObligation, withdrawQueueTransactions };
}

const common = { method: 'get', tag: 'Lending', holds: 'never', family: READ_ERRORS } as const;
const READ =
  'Valued at the prices recorded at that time. The first request reads the transactions from the chain; `X-Complete: false` says that some are missing.';

export const WALLET_TRANSACTION_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listWalletTransactions',
    path: '/v3/svc-market/users/{userPubkey}/transactions',
    summary: 'Lending and withdraw queue transactions of a wallet in all markets',
    description: `Open and closed obligations, and tickets in withdraw queues, by market. Markets are ordered by address. ${READ} Empty for a wallet without transactions.`,
    graph: `query { wallet(address) { lendingTransactions { nodes { marketAddress ${ROW} } complete } withdrawQueueTransactions { nodes { marketAddress ${QUEUE_ROW} } complete } } }`,
    params: LendingUserParams,
    query: WalletTransactionQuery,
    response: z.array(MarketWalletTransactions),
    example: ({ wallet }) => ({ params: { userPubkey: wallet } }),
    async answer(call, { params: { userPubkey }, query }) {
      const { platform, session } = call;
      platform.requireCluster(query.env);
      const byMarket = await walletTransactionsByMarket(platform, session, userPubkey);
      const queue = await allQueueTransactions(platform, session, userPubkey);
      const markets = [...new Set([...byMarket.keys(), ...queue.map(({ market }) => market)])].sort();
      return await Promise.all(
        markets.map(async (market) => {
          const own = queue.filter((each) => each.market === market);
          return { market, ...(await inMarket(call, byMarket.get(market) ?? new Map(), own, query.sort)) };
        }),
      );
    },
  }),
  operation({
    ...common,
    id: 'listWalletMarketTransactions',
    path: '/v3/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
    summary: 'Lending and withdraw queue transactions of a wallet in a market',
    description: `Open and closed obligations, by their address, and tickets in withdraw queues. ${READ} Empty for a wallet without transactions.`,
    graph: `query { wallet(address) { lendingTransactions(market) { nodes { ${ROW} } complete } withdrawQueueTransactions(market) { nodes { ${QUEUE_ROW} } complete } } }`,
    params: MarketUserParams,
    query: WalletTransactionQuery,
    response: WalletTransactions,
    example: ({ market, wallet }) => ({ params: { marketPubkey: market, userPubkey: wallet } }),
    async answer(call, { params, query }) {
      const { platform, session } = call;
      platform.requireCluster(query.env);
      const { address } = marketInView(session.view, params.marketPubkey);
      const byMarket = await walletTransactionsByMarket(platform, session, params.userPubkey);
      const queue = await allQueueTransactions(platform, session, params.userPubkey);
      const own = queue.filter(({ market }) => market === address);
      return await inMarket(call, byMarket.get(address) ?? new Map(), own, query.sort);
    },
  }),
];
