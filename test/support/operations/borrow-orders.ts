import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import { present } from './graph-values.ts';
import { BORROW_ORDER_FIELDS } from './obligation-state.ts';
import { type GraphOrder, ORDER, restOrder } from './obligations.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

/** What an order says and who can fill it, in the portfolio of its wallet and in the list of its market. */
export const BORROW_ORDER_OUTLOOK = {
  index: 'integer',
  ...BORROW_ORDER_FIELDS,
  description: 'label',
  isExpired: 'boolean',
  reserves: {
    list: {
      fields: {
        reserve: 'address',
        maxBorrowRateBps: 'integer',
        misfit: { nullable: { oneOf: ['RATE_TOO_HIGH', 'HAS_TERM', 'TERM_TOO_SHORT'] } },
        fillableAmount: { nullable: 'decimal' },
      },
    },
  },
} as const satisfies Record<string, Shape>;

export interface GraphBorrowOrder extends GraphOrder {
  readonly index: number;
  readonly description: string;
  readonly isExpired: boolean;
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly maxBorrowRateBps: string;
    readonly misfit: string | null;
    readonly fillable: { readonly amount: string } | null;
  }[];
}

export const BORROW_ORDER_GRAPH = `index ${ORDER} description isExpired
  reserves { reserveAddress maxBorrowRateBps misfit fillable { amount } }`;

export const restBorrowOrder = (order: GraphBorrowOrder) => ({
  index: order.index,
  ...restOrder(order),
  description: order.description,
  isExpired: order.isExpired,
  reserves: order.reserves.map(({ reserveAddress, maxBorrowRateBps, misfit, fillable }) => ({
    reserve: reserveAddress,
    maxBorrowRateBps: Number(maxBorrowRateBps),
    misfit,
    fillableAmount: fillable?.amount ?? null,
  })),
});

interface GraphMarket {
  readonly address: string;
  readonly borrowOrders: {
    readonly nodes: readonly (GraphBorrowOrder & {
      readonly obligation: { readonly address: string; readonly owner: { readonly address: string } };
    })[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

const QUERY = `query ($address: Address!, $mint: Address, $first: Int) { market(address: $address) {
  address
  borrowOrders(mint: $mint, first: $first) {
    nodes { ${BORROW_ORDER_GRAPH} obligation { address owner { address } } }
    pageInfo { hasNextPage endCursor }
  }
} }`;

const of = (market: string) => `/markets/${market}/borrow-orders`;

export const BORROW_ORDERS_ROW: OperationRow = {
  method: 'get',
  path: of('{pubkey}'),
  answer: {
    fields: {
      market: 'address',
      orders: { list: { fields: { obligation: 'address', owner: 'address', ...BORROW_ORDER_OUTLOOK } } },
      'paginationToken?': 'label',
    },
  },
  requests: ({ markets, addresses: { market, tokenMint, stakedMint } }) => [
    ...markets.map((address) => ({ url: of(address), variables: { address, first: 100 } })),
    ...[tokenMint, stakedMint].map((mint) => ({
      url: `${of(market)}?mint=${mint}`,
      variables: { address: market, mint, first: 100 },
    })),
    { url: `${of(market)}?limit=1`, variables: { address: market, first: 1 } },
  ],
  refusals: ({ addresses: { market, wallet } }) => [
    badRequest('no address', of('nonsense'), 'pubkey'),
    badRequest('no mint', `${of(market)}?mint=nonsense`, 'mint'),
    badRequest('no page', `${of(market)}?limit=0`, 'limit'),
    badRequest('a page that is too long', `${of(market)}?limit=101`, 'limit'),
    badRequest('no token', `${of(market)}?paginationToken=nonsense`, 'paginationToken'),
    { name: 'unknown market', ask: { url: of(wallet) }, status: 400, code: 'KLEND_MARKET_NOT_FOUND' },
  ],
  async twin(graph, variables) {
    const { market } = await graph<{ market: GraphMarket }>(QUERY, variables);
    const { nodes, pageInfo } = market.borrowOrders;
    return {
      market: market.address,
      orders: nodes.map(({ obligation, ...order }) => ({
        obligation: obligation.address,
        owner: obligation.owner.address,
        ...restBorrowOrder(order),
      })),
      ...present({ paginationToken: pageInfo.hasNextPage ? pageInfo.endCursor : null }),
    };
  },
};

const OPEN_ORDERS = `query ($address: Address!) { market(address: $address) { borrowOrders(first: 100) {
  nodes { ${ORDER} obligation { address owner { address } accountData } }
} } }`;

interface OpenOrders {
  readonly market: {
    readonly borrowOrders: {
      readonly nodes: readonly (GraphOrder & {
        readonly obligation: {
          readonly address: string;
          readonly owner: { readonly address: string };
          readonly accountData: string;
        };
      })[];
    };
  };
}

/** Collateral tokens by reserve, as the account has them. */
const depositsIn = (accountData: string) =>
  obligation
    .decode({ owner: klend, data: Buffer.from(accountData, 'base64') }, klend)
    .deposits.filter(({ depositReserve }) => depositReserve !== NO_ADDRESS)
    .map(({ depositReserve, depositedAmount }) => ({
      depositReserve,
      depositedAmount: String(depositedAmount),
    }));

const openIn = (market: string) => `/v2/svc-market/${market}/obligations-with-open-borrow-orders`;

const { active, enableAutoRolloverOnFilledBorrows, ...TERMS } = BORROW_ORDER_FIELDS;

const { klend, kvault } = MAINNET_PROGRAMS;

export const OPEN_BORROW_ORDERS_ROW: OperationRow = {
  method: 'get',
  path: openIn('{pubkey}'),
  answer: {
    fields: {
      obligations: {
        list: {
          fields: {
            obligationPubkey: 'address',
            owner: 'address',
            deposits: { list: { fields: { depositReserve: 'address', depositedAmount: 'integerString' } } },
            ...TERMS,
          },
        },
      },
    },
  },
  requests: ({ markets }) => [
    ...markets.map((address) => ({ url: openIn(address), variables: { address } })),
    ...markets.slice(0, 1).map((address) => ({
      url: `${openIn(address)}?env=localnet&programId=${klend}`,
      variables: { address },
    })),
  ],
  refusals: ({ addresses: { market, wallet } }) => [
    badRequest('no address', openIn('nonsense'), 'pubkey'),
    badRequest('no program', `${openIn(market)}?programId=nonsense`, 'programId'),
    { name: 'another program', ask: { url: `${openIn(market)}?programId=${kvault}` }, status: 400 },
    { name: 'unknown market', ask: { url: openIn(wallet) }, status: 400, code: 'KLEND_MARKET_NOT_FOUND' },
    ...wrongEnv(openIn(market)),
  ],
  async twin(graph, variables) {
    const { market } = await graph<OpenOrders>(OPEN_ORDERS, variables);
    return {
      obligations: market.borrowOrders.nodes
        .filter(({ remainingAmount }) => remainingAmount !== '0')
        .map(({ obligation: { address, owner, accountData }, ...order }) => {
          const { active, enableAutoRolloverOnFilledBorrows, ...terms } = restOrder(order);
          return {
            obligationPubkey: address,
            owner: owner.address,
            deposits: depositsIn(accountData),
            ...terms,
          };
        }),
    };
  },
};
