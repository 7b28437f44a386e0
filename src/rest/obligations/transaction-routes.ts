import { z } from '@hono/zod-openapi';
import { timelineInMarket } from '../../services/history/obligations/timeline.ts';
import { walletTransactionsByMarket } from '../../services/history/obligations/transactions.ts';
import { marketInView } from '../../services/markets/markets.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { ObligationParams } from './history-schemas.ts';
import { lendingTransaction, sorted, transactionsByObligation } from './transaction-answers.ts';
import {
  LendingTransactionQuery,
  LendingTransactionsByObligation,
  LendingUserParams,
  MarketLendingTransactions,
  MarketUserParams,
  ObligationTransactionQuery,
  ObligationTransactions,
} from './transaction-schemas.ts';

const common = { method: 'get', tag: 'Lending', holds: 'never', family: READ_ERRORS } as const;
const READ =
  'A liquidation has two rows: the debt repaid and the collateral taken. Valued at the prices recorded at that time. The first request reads the transactions from the chain; `X-Complete: false` says that some are missing.';
/** Fields of the graph with the data of a row. */
export const ROW =
  'createdAt signature instruction kind side secondPart obligationAddress obligationTag reserve { token { mint symbol } } liquidity { amount } tokenPriceUsd solPriceUsd valueUsd';

export const LENDING_TRANSACTION_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listUserTransactions',
    path: '/v2/svc-market/users/{userPubkey}/transactions',
    summary: 'Lending transactions of a wallet in all markets',
    description: `Open and closed obligations, by market. Markets are ordered by address. ${READ} Empty for a wallet without transactions.`,
    graph: `query { wallet(address) { lendingTransactions { nodes { marketAddress ${ROW} } complete } } }`,
    params: LendingUserParams,
    query: LendingTransactionQuery,
    response: z.array(MarketLendingTransactions),
    example: ({ wallet }) => ({ params: { userPubkey: wallet } }),
    async answer(call, { params, query }) {
      const { platform, session } = call;
      platform.requireCluster(query.env);
      const markets = await walletTransactionsByMarket(platform, session, params.userPubkey);
      return await Promise.all(
        [...markets].map(async ([market, obligations]) => ({
          market,
          obligations: await transactionsByObligation(call, obligations, query.sort),
        })),
      );
    },
  }),
  operation({
    ...common,
    id: 'listUserMarketTransactions',
    path: '/v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
    summary: 'Lending transactions of a wallet in a market',
    description: `Open and closed obligations, by their address. ${READ} Empty for a wallet without transactions.`,
    graph: `query { wallet(address) { lendingTransactions(market) { nodes { ${ROW} } complete } } }`,
    params: MarketUserParams,
    query: LendingTransactionQuery,
    response: LendingTransactionsByObligation,
    example: ({ market, wallet }) => ({ params: { marketPubkey: market, userPubkey: wallet } }),
    async answer(call, { params, query }) {
      const { platform, session } = call;
      platform.requireCluster(query.env);
      const { address } = marketInView(session.view, params.marketPubkey);
      const markets = await walletTransactionsByMarket(platform, session, params.userPubkey);
      return await transactionsByObligation(call, markets.get(address) ?? new Map(), query.sort);
    },
  }),
  operation({
    ...common,
    id: 'listObligationTransactions',
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
    summary: 'Transactions of one obligation',
    description: `${READ} Closed obligations are included.`,
    graph: `query { obligation(address) { transactions { nodes { ${ROW} } complete } } }`,
    params: ObligationParams,
    query: ObligationTransactionQuery,
    response: ObligationTransactions,
    example: ({ market, obligation }) => ({
      params: { marketPubkey: market, obligationPubkey: obligation },
    }),
    async answer(call, { params: { marketPubkey, obligationPubkey }, query }) {
      const { platform, session } = call;
      platform.requireCluster(query.env);
      const { timeline } = await timelineInMarket(platform, session, marketPubkey, obligationPubkey);
      const rows = await Promise.all(
        sorted(timeline.events, query.sort).map((each) => lendingTransaction(call, each)),
      );
      return { transactions: rows.map((row) => ({ ...row, obligation: obligationPubkey })) };
    },
  }),
];
