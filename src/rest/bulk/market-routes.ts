import { marketTransactions } from '../../services/history/obligations/market-transactions.ts';
import {
  marketQueueTransactions,
  queueKindOf,
} from '../../services/history/withdraw-queues/queue-transactions.ts';
import { marketInView } from '../../services/markets/markets.ts';
import { ROW } from '../obligations/transaction-routes.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type Operation, operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { QUEUE_ROW } from '../withdraw-queues/transaction-routes.ts';
import { bulkRequest, withRawJson } from './bulk-read.ts';
import { obligationRows, queueRows } from './market-answers.ts';
import {
  AllMarketTransactionsBody,
  AllMarketTransactionsPage,
  BulkMarketParams,
  BulkMarketQuery,
  MarketTransactionsBody,
  MarketTransactionsPage,
} from './market-schemas.ts';

const common = {
  method: 'post',
  tag: 'Lending',
  holds: 'never',
  family: READ_ERRORS,
  needsKey: true,
  params: BulkMarketParams,
  query: BulkMarketQuery,
} as const;

const READ =
  'Newest first, at most 1,000 rows in an answer, valued at the prices recorded at that time. Needs an API key of the operator, also as HTTP Basic. The first request reads the newest transactions of the market from the chain and answers as soon as there are some; the others follow in later pages. `X-Complete: false` says that not all have been read yet.';
const LENDING = `transactions(instruction, range, first, after) { nodes { wallet { address } reserveAddress ${ROW} } pageInfo { hasNextPage endCursor } complete }`;
const QUEUE = `withdrawQueueTransactions(kind, range, first, after) { nodes { wallet { address } ${QUEUE_ROW} } pageInfo { hasNextPage endCursor } complete }`;

const EXAMPLE_TIME = '2026-05-30T11:58:20.000Z';
const EXAMPLE_SIGNATURE =
  '4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRHKvHL2b7yGrRrQVyyaqsc';
const EXAMPLE_ADDRESS = '6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq';
const EXAMPLE_ROW = {
  ixs: [
    {
      reserve: EXAMPLE_ADDRESS,
      transactionName: 'depositReserveLiquidityAndObligationCollateralV2',
      transactionDisplayName: 'Deposit' as const,
      liquidityToken: 'USDC',
      liquidityTokenMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      liquidityTokenAmount: '250.5',
      liquidityTokenPrice: '0.9998',
      solPrice: '171.25',
      liquidityUsdValue: '250.4499',
      isLiquidationWithdrawal: false,
    },
  ],
  timestamp: EXAMPLE_TIME,
  signature: EXAMPLE_SIGNATURE,
  obligation: EXAMPLE_ADDRESS,
  wallet: EXAMPLE_ADDRESS,
};
const EXAMPLE_INSTRUCTION = 'depositReserveLiquidityAndObligationCollateralV2';

const withSignedRaw = <Row extends { readonly signature: string }>(
  call: Call,
  rows: readonly Row[],
  isAsked: boolean | undefined,
) =>
  withRawJson(
    call,
    rows,
    rows.map(({ signature }) => signature),
    isAsked,
  );

export const BULK_MARKET_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listMarketTransactions',
    path: '/v2/svc-market/{pubkey}/transactions',
    summary: 'Transactions of all obligations of a market, by instruction',
    description: READ,
    graph: `query { market(address) { ${LENDING} } }`,
    body: MarketTransactionsBody,
    response: MarketTransactionsPage,
    example: ({ market }) => ({ params: { pubkey: market }, body: { instruction: EXAMPLE_INSTRUCTION } }),
    exampleAnswer: { result: [EXAMPLE_ROW] },
    async answer(call, { params, query, body }) {
      const { platform, session } = call;
      platform.requireLendingProgram(query.programId);
      const { address } = marketInView(session.view, params.pubkey);
      const filter = { instruction: body.instruction, range: checkedRange(session, body) };
      const request = bulkRequest({ query, body });
      const { events, next } = await marketTransactions(platform, session, address, filter, request);
      const result = await withSignedRaw(call, await obligationRows(call, events), query.includeRawJson);
      return { result, ...(next === null ? {} : { paginationToken: next }) };
    },
  }),
  operation({
    ...common,
    id: 'listAllMarketTransactions',
    path: '/v3/svc-market/{pubkey}/transactions',
    summary: 'Transactions of all obligations or all withdraw queues of a market, by instruction',
    description: `The instruction decides which list is filled. ${READ}`,
    graph: `query { market(address) { ${LENDING} ${QUEUE} } }`,
    body: AllMarketTransactionsBody,
    response: AllMarketTransactionsPage,
    example: ({ market }) => ({ params: { pubkey: market }, body: { instruction: EXAMPLE_INSTRUCTION } }),
    exampleAnswer: { obligationTransactions: [EXAMPLE_ROW], withdrawQueueTransactions: [] },
    async answer(call, { params, query, body }) {
      const { platform, session } = call;
      platform.requireLendingProgram(query.programId);
      const { address } = marketInView(session.view, params.pubkey);
      const range = checkedRange(session, body);
      const request = bulkRequest({ query, body });
      const { instruction } = body;
      const kind = queueKindOf(instruction);
      const pageOf = (next: string | null) => (next === null ? {} : { paginationToken: next });
      if (kind !== null) {
        const filter = { kind, range };
        const { events, next } = await marketQueueTransactions(platform, session, address, filter, request);
        const rows = await withSignedRaw(call, await queueRows(call, events), query.includeRawJson);
        return { obligationTransactions: [], withdrawQueueTransactions: rows, ...pageOf(next) };
      }
      const filter = { instruction, range };
      const { events, next } = await marketTransactions(platform, session, address, filter, request);
      const rows = await withSignedRaw(call, await obligationRows(call, events), query.includeRawJson);
      return { obligationTransactions: rows, withdrawQueueTransactions: [], ...pageOf(next) };
    },
  }),
];
