import type { z } from '@hono/zod-openapi';
import type { ActivityFilter } from '../../services/history/activity/activity-filter.ts';
import { activityPage } from '../../services/history/activity/activity-page.ts';
import { walletIncome } from '../../services/history/income/wallet-income.ts';
import type { Session } from '../../services/request/session.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type Operation, operation } from '../operation/operation.ts';
import { TextStream } from '../operation/text-stream.ts';
import { PortfolioParams } from '../portfolio/schemas.ts';
import { checkedRange } from '../values/date.ts';
import { nextPage } from '../values/pagination.ts';
import { activityFile } from './activity-files.ts';
import { activityRow, amountsOf } from './activity-rows.ts';
import {
  ActivityCsvQuery,
  ActivityLinesQuery,
  ActivityList,
  ActivityListQuery,
  CsvText,
  JsonLines,
} from './activity-schemas.ts';
import { symbolsOf } from './book-amounts.ts';
import { amountsIn, incomeAnswer, incomeLines, readRowCursor } from './income-rows.ts';
import { BookIncome, IncomeCsvQuery, IncomeQuery } from './income-schemas.ts';

const common = { method: 'get', tag: 'Portfolio', holds: 'never', family: READ_ERRORS } as const;

const WHAT =
  'Everything that a wallet did in vaults, lending, farms and withdraw queues, and liquidations of its obligations, newest first, in tokens and at the prices recorded at that time. Orders are recorded when they are filled; placing or cancelling one is not listed.';
const STREAMED =
  'Streamed: it begins at once and takes as long as the client needs. If the connection breaks, pass the `cursor` of the last complete row to continue after it; with `limit`, the header `Link` leads to the next file.';

const GRAPH_AMOUNT = '{ amount usd sol token { mint symbol } }';
const GRAPH_ENTRY = `__typename kind createdAt signature slot final unknown sent ${GRAPH_AMOUNT} received ${GRAPH_AMOUNT} reward ${GRAPH_AMOUNT} fee ${GRAPH_AMOUNT} ... on VaultActivity { vaultAddress sharesChange tokens ${GRAPH_AMOUNT} counterparty { address } } ... on LendingActivity { marketAddress obligationAddress reserveAddress side amount ${GRAPH_AMOUNT} liquidity ${GRAPH_AMOUNT} collateralChange debtChange signer { address } } ... on FarmActivity { farmAddress tokenMint stakeChange } ... on WithdrawQueueActivity { ticketAddress marketAddress reserveAddress fromVaultAddress ticketChange liquidity ${GRAPH_AMOUNT} signer { address } } ... on UnreadActivity { reason }`;
const ACTIVITY_GRAPH = `query { wallet(address) { activity(first after filter) { complete pageInfo { hasNextPage endCursor } edges { cursor node { ${GRAPH_ENTRY} } } } } }`;

const VALUE = '{ usd sol }';
const TOKENS = `tokens { tokenMint interestEarned ${GRAPH_AMOUNT} interestPaid ${GRAPH_AMOUNT} rewards ${GRAPH_AMOUNT} fees ${GRAPH_AMOUNT} liquidations ${GRAPH_AMOUNT} realizedGain ${VALUE} unrealizedGain ${VALUE} }`;
const TOTAL = `total { interestEarned ${VALUE} interestPaid ${VALUE} rewards ${VALUE} fees ${VALUE} liquidations ${VALUE} realizedGain ${VALUE} unrealizedGain ${VALUE} profit ${VALUE} }`;
const INCOME_GRAPH = `query { wallet(address) { income(range by method) { by method complete periods { start end ${TOKENS} ${TOTAL} } ${TOKENS} ${TOTAL} gaps { reason address } } } }`;

type Conditions = Pick<
  z.output<typeof ActivityListQuery>,
  'start' | 'end' | 'kinds' | 'products' | 'vaults' | 'markets' | 'tokens'
>;

/** @throws a validation error for a range that starts after its end */
function filterOf(session: Session, { start, end, ...lists }: Conditions): ActivityFilter {
  return { ...lists, range: start || end ? checkedRange(session, { start, end }) : null };
}

/** The URL of the file that continues one. */
function nextFile(
  { baseUrl }: Call,
  path: string,
  { start, end, kinds, products, vaults, markets, tokens, ...rest }: z.output<typeof ActivityCsvQuery>,
) {
  const lists = { kinds, products, vaults, markets, tokens };
  return (cursor: string): string => {
    const query = new URLSearchParams();
    if (start) query.set('start', start.toISOString());
    if (end) query.set('end', end.toISOString());
    for (const [name, list] of Object.entries(lists)) if (list) query.set(name, list.join(','));
    for (const [name, value] of Object.entries({ ...rest, cursor }))
      if (value !== undefined) query.set(name, String(value));
    return `${baseUrl}${path}?${query}`;
  };
}

/** Activity and income of a wallet, for accounting. */
export const BOOK_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listActivity',
    path: '/portfolio/{wallet}/activity',
    summary: 'Everything that a wallet did, in pages',
    description: `${WHAT} The first request for a wallet reads its transactions from the chain.`,
    graph: ACTIVITY_GRAPH,
    params: PortfolioParams,
    query: ActivityListQuery,
    response: ActivityList,
    example: ({ wallet }) => ({ params: { wallet }, query: { limit: '2' } }),
    async answer({ platform, session }, { params, query }) {
      const { limit: first, paginationToken: after, ...conditions } = query;
      const filter = filterOf(session, conditions);
      const page = await activityPage(platform, session, params.wallet, filter, { first, after });
      const symbols = await symbolsOf(
        session,
        page.items.flatMap(({ item }) => amountsOf(item)),
      );
      return {
        result: page.items.map(({ item, cursor }) => activityRow(item, cursor, symbols)),
        complete: page.complete,
        ...nextPage(page),
      };
    },
  }),
  operation({
    ...common,
    id: 'getActivityCsv',
    path: '/portfolio/{wallet}/activity.csv',
    summary: 'Everything that a wallet did, as CSV',
    description: `${WHAT} With the columns of a tax program, a deposit is a transfer to a pool, and stakes of vault shares have no rows. ${STREAMED} What is unknown is a row that says so; a file that lacks transactions ends with one of the kind INCOMPLETE.`,
    graph: ACTIVITY_GRAPH,
    media: 'text/csv',
    params: PortfolioParams,
    query: ActivityCsvQuery,
    response: CsvText,
    example: ({ wallet }) => ({ params: { wallet }, query: { limit: '2' } }),
    async answer(call, { params, query }) {
      const { format = 'sluice', header = true, cursor, limit, ...conditions } = query;
      const filter = filterOf(call.session, conditions);
      const path = `/portfolio/${params.wallet}/activity.csv`;
      const request = { wallet: params.wallet, filter, cursor, limit, header };
      return await activityFile(call, format, request, nextFile(call, path, query));
    },
  }),
  operation({
    ...common,
    id: 'getActivityLines',
    path: '/portfolio/{wallet}/activity.jsonl',
    summary: 'Everything that a wallet did, as JSON lines',
    description: `${WHAT} Each line is an entry of the list. ${STREAMED} A file that lacks transactions ends with a line of the kind INCOMPLETE.`,
    graph: ACTIVITY_GRAPH,
    media: 'application/jsonl',
    params: PortfolioParams,
    query: ActivityLinesQuery,
    response: JsonLines,
    example: ({ wallet }) => ({ params: { wallet }, query: { limit: '2' } }),
    async answer(call, { params, query }) {
      const { cursor, limit, ...conditions } = query;
      const filter = filterOf(call.session, conditions);
      const path = `/portfolio/${params.wallet}/activity.jsonl`;
      const request = { wallet: params.wallet, filter, cursor, limit, header: false };
      return await activityFile(call, 'jsonl', request, nextFile(call, path, query));
    },
  }),
  operation({
    ...common,
    id: 'getIncome',
    path: '/portfolio/{wallet}/income',
    summary: 'Income of a wallet by day or month',
    description:
      'Interest earned and paid, rewards, fees and gains from vaults, lending and farms. Interest counts as acquired when it accrues, so that it is not part of a gain as well, and all parts add up to the profit. Numbers that are unknown are null, and `gaps` says why.',
    graph: INCOME_GRAPH,
    params: PortfolioParams,
    query: IncomeQuery,
    response: BookIncome,
    example: ({ wallet }) => ({ params: { wallet } }),
    async answer({ platform, session }, { params, query }) {
      const { start, end, by = 'MONTH', method = 'FIFO' } = query;
      const range = checkedRange(session, { start, end });
      const income = await walletIncome(platform, session, params.wallet, { range, by, method });
      return incomeAnswer(income, await symbolsOf(session, amountsIn(income)));
    },
  }),
  operation({
    ...common,
    id: 'getIncomeCsv',
    path: '/portfolio/{wallet}/income.csv',
    summary: 'Income of a wallet by day or month, as CSV',
    description:
      'A row for each period and token. With the columns of a tax program, interest alone: rewards and fees are rows of the activity, and the program computes gains itself. The rows of what is not known are at the end.',
    graph: INCOME_GRAPH,
    media: 'text/csv',
    params: PortfolioParams,
    query: IncomeCsvQuery,
    response: CsvText,
    example: ({ wallet }) => ({ params: { wallet } }),
    async answer({ platform, session }, { params, query }) {
      const { start, end, by = 'MONTH', method = 'FIFO', format = 'sluice', header = true, cursor } = query;
      const range = checkedRange(session, { start, end });
      const after = readRowCursor(cursor);
      const income = await walletIncome(platform, session, params.wallet, { range, by, method });
      const symbols = await symbolsOf(session, amountsIn(income));
      const lines = incomeLines(income, symbols, format, { header, after });
      return new TextStream(streamed(lines), {
        'content-disposition': `attachment; filename="income-${params.wallet}.csv"`,
      });
    },
  }),
];

const LINES_AT_ONCE = 200;

async function* streamed(lines: Iterable<string>): AsyncGenerator<string, void> {
  let some: string[] = [];
  for (const line of lines) {
    some.push(line);
    if (some.length < LINES_AT_ONCE) continue;
    yield some.join('');
    some = [];
  }
  yield some.join('');
}
