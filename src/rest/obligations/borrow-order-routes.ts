import { marketInView } from '../../services/markets/markets.ts';
import {
  borrowOrderId,
  depositsBehind,
  openBorrowOrders,
  unfilledBorrowOrders,
} from '../../services/obligations/borrow-orders.ts';
import { paginateLive } from '../../services/paging/paging.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { nextPage } from '../values/pagination.ts';
import { borrowOrderAnswer, borrowOrderOutlookAnswer, borrowOrderTerms } from './borrow-order-answers.ts';
import {
  BorrowOrdersParams,
  BorrowOrdersQuery,
  MarketBorrowOrders,
  OpenBorrowOrders,
  OpenBorrowOrdersQuery,
} from './borrow-order-schemas.ts';

export const MARKET_BORROW_ORDERS = operation({
  id: 'getMarketBorrowOrders',
  method: 'get',
  path: '/markets/{pubkey}/borrow-orders',
  tag: 'Markets',
  summary: 'Borrow orders of a market that can still be filled',
  description:
    'For those who fill them: what is asked for, on which terms, and what each reserve would pay now. Read from the chain. An unknown market is a 400 with KLEND_MARKET_NOT_FOUND.',
  graph:
    'query { market(address) { borrowOrders(mint first after) { nodes { index obligation { address owner { address } } debtMint remainingAmount requestedAmount destination minTermSeconds maxBorrowRateBps fillableUntil placedAt updatedAt active autoRollover description isExpired reserves { reserveAddress maxBorrowRateBps misfit fillable { amount } } } pageInfo { hasNextPage endCursor } } } }',
  family: READ_ERRORS,
  holds: 'positions',
  params: BorrowOrdersParams,
  query: BorrowOrdersQuery,
  response: MarketBorrowOrders,
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ session }, { params, query: { mint = null, limit, paginationToken: after } }) {
    const { address } = marketInView(session.view, params.pubkey);
    const page = await paginateLive(
      {
        key: ['market.borrowOrders', address, mint],
        read: async () => (await openBorrowOrders(session, address, mint)).orders,
        idOf: borrowOrderId,
      },
      { first: limit, after },
    );
    return {
      market: address,
      orders: page.items.map(({ item }) => ({
        obligation: item.record.address,
        owner: item.record.value.owner,
        index: item.index,
        ...borrowOrderAnswer(item),
        ...borrowOrderOutlookAnswer(session, item),
      })),
      ...nextPage(page),
    };
  },
});

export const OPEN_BORROW_ORDERS = operation({
  id: 'listObligationsWithOpenBorrowOrders',
  method: 'get',
  path: '/v2/svc-market/{pubkey}/obligations-with-open-borrow-orders',
  tag: 'Markets',
  summary: 'Obligations of a market with an order to borrow',
  description:
    'Orders that can still be filled and have an amount left, in one answer. Amounts are in base units, as in the borrow order of an obligation. `/markets/{pubkey}/borrow-orders` has them in pages, and says which reserves can fill them. Read from the chain. An unknown market is a 400 with KLEND_MARKET_NOT_FOUND.',
  graph:
    'query { market(address) { borrowOrders(first after) { nodes { obligation { address owner { address } deposits { reserveAddress collateral } } debtMint remainingAmount requestedAmount destination maxBorrowRateBps minTermSeconds fillableUntil placedAt updatedAt } } } }',
  family: READ_ERRORS,
  holds: 'positions',
  params: BorrowOrdersParams,
  query: OpenBorrowOrdersQuery,
  response: OpenBorrowOrders,
  example: ({ market }) => ({ params: { pubkey: market } }),
  async answer({ platform, session }, { params, query }) {
    platform.requireCluster(query.env);
    platform.requireLendingProgram(query.programId);
    const { address } = marketInView(session.view, params.pubkey);
    const orders = await unfilledBorrowOrders(session, address);
    return {
      obligations: orders.map((placed) => ({
        obligationPubkey: placed.record.address,
        owner: placed.record.value.owner,
        deposits: depositsBehind(placed).map(({ depositReserve, depositedAmount }) => ({
          depositReserve,
          depositedAmount: String(depositedAmount),
        })),
        ...borrowOrderTerms(placed),
      })),
    };
  },
});
