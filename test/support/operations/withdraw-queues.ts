import type { Shape } from '../contract/field-shapes.ts';
import { present, type Text } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

/** A ticket of a withdraw queue, in the portfolio of its wallet and in the queue of its reserve. */
export const TICKET = {
  ticket: 'address',
  sequenceNumber: 'integerString',
  state: { oneOf: ['QUEUED', 'CANCELLED', 'INVALID'] },
  createdOn: 'date',
  collateralAmount: 'decimal',
  amount: 'decimal',
  'value?': 'decimal',
  'ticketsAhead?': 'integerString',
  'amountAhead?': 'decimal',
  'payableAmount?': 'decimal',
  estimate: {
    fields: {
      state: {
        oneOf: [
          ...['ESTIMATED', 'PAYABLE_NOW', 'OUTFLOW_CAP', 'NOT_WAITING', 'PAYMENTS_BLOCKED', 'PLACE_UNKNOWN'],
          ...['HISTORY_UNAVAILABLE', 'HISTORY_TOO_SHORT', 'NO_INFLOW', 'TOO_FAR'],
        ],
      },
      'paidAt?': 'date',
      'missingAmount?': 'decimal',
      'inflowPerDay?': 'decimal',
    },
  },
} as const satisfies Record<string, Shape>;

const BLOCK: Shape = {
  nullable: {
    oneOf: ['DISABLED', 'MARKET_EMERGENCY', 'RESERVE_EMERGENCY', 'RESERVE_OBSOLETE', 'MARKET_UNKNOWN'],
  },
};

const QUEUE: Shape = {
  fields: {
    reserve: 'address',
    mint: 'address',
    symbol: 'label',
    tickets: 'integerString',
    collateralAmount: 'decimal',
    amount: 'decimal',
    payableAmount: 'decimal',
    missingAmount: 'decimal',
    freeAmount: 'decimal',
    'value?': 'decimal',
    'minTicketUsd?': 'decimal',
    issuanceBlock: BLOCK,
    paymentBlock: BLOCK,
    cancellationBlock: BLOCK,
    queue: { list: { fields: { ...TICKET, owner: 'address' } } },
    'paginationToken?': 'label',
  },
};

interface Tokens {
  readonly amount: string;
  readonly usd?: Text;
}

export interface GraphTicket {
  readonly address: string;
  readonly sequenceNumber: string;
  readonly state: string;
  readonly createdAt: string;
  readonly collateral: string;
  readonly amount: Tokens;
  readonly ticketsAhead: Text;
  readonly amountAhead: Tokens | null;
  readonly payable: Tokens | null;
  readonly estimate: {
    readonly state: string;
    readonly paidAt: Text;
    readonly missing: Tokens | null;
    readonly inflow: { readonly perDay: Tokens } | null;
  };
}

export const TICKET_FIELDS = `address sequenceNumber state createdAt collateral amount { amount usd }
  ticketsAhead amountAhead { amount } payable { amount }
  estimate { state paidAt missing { amount } inflow { perDay { amount } } }`;

export const restTicket = ({ estimate, ...ticket }: GraphTicket) => ({
  ticket: ticket.address,
  sequenceNumber: ticket.sequenceNumber,
  state: ticket.state,
  createdOn: ticket.createdAt,
  collateralAmount: ticket.collateral,
  amount: ticket.amount.amount,
  ...present({
    value: ticket.amount.usd,
    ticketsAhead: ticket.ticketsAhead,
    amountAhead: ticket.amountAhead?.amount,
    payableAmount: ticket.payable?.amount,
  }),
  estimate: {
    state: estimate.state,
    ...present({
      paidAt: estimate.paidAt,
      missingAmount: estimate.missing?.amount,
      inflowPerDay: estimate.inflow?.perDay.amount,
    }),
  },
});

type OwnedTicket = GraphTicket & { readonly owner: { readonly address: string } };

interface GraphQueue {
  readonly address: string;
  readonly token: { readonly mint: string; readonly symbol: string };
  readonly withdrawQueue: Readonly<Record<'amount' | 'payable' | 'missing' | 'free', Tokens>> & {
    readonly tickets: string;
    readonly collateral: string;
    readonly minTicketUsd: Text;
    readonly issuanceBlock: Text;
    readonly paymentBlock: Text;
    readonly cancellationBlock: Text;
  };
  readonly withdrawTickets: {
    readonly nodes: readonly OwnedTicket[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
  };
}

const QUERY = `query ($address: Address!, $first: Int) { reserve(address: $address) {
  address token { mint symbol }
  withdrawQueue {
    tickets collateral amount { amount usd } payable { amount } missing { amount } free { amount }
    minTicketUsd issuanceBlock paymentBlock cancellationBlock
  }
  withdrawTickets(first: $first) { nodes { ${TICKET_FIELDS} owner { address } } pageInfo { hasNextPage endCursor } }
} }`;

const of = (reserve: string) => `/reserves/${reserve}/withdraw-queue`;

export const WITHDRAW_QUEUE_ROW: OperationRow = {
  method: 'get',
  path: of('{pubkey}'),
  answer: QUEUE,
  requests: ({ addresses: { queuedReserve, reserve, stakedReserve } }) => [
    ...[queuedReserve, reserve, stakedReserve].map((address) => ({
      url: of(address),
      variables: { address, first: 100 },
    })),
    { url: `${of(queuedReserve)}?limit=2`, variables: { address: queuedReserve, first: 2 } },
  ],
  refusals: ({ addresses: { queuedReserve, wallet } }) => [
    badRequest('no address', of('nonsense'), 'pubkey'),
    badRequest('no page', `${of(queuedReserve)}?limit=0`, 'limit'),
    badRequest('a page that is too long', `${of(queuedReserve)}?limit=101`, 'limit'),
    badRequest('no token', `${of(queuedReserve)}?paginationToken=nonsense`, 'paginationToken'),
    { name: 'unknown reserve', ask: { url: of(wallet) }, status: 400, code: 'KLEND_RESERVE_NOT_FOUND' },
  ],
  async twin(graph, variables) {
    const { reserve } = await graph<{ reserve: GraphQueue }>(QUERY, variables);
    const { token, withdrawQueue: queue, withdrawTickets } = reserve;
    const { hasNextPage, endCursor } = withdrawTickets.pageInfo;
    return {
      reserve: reserve.address,
      mint: token.mint,
      symbol: token.symbol,
      tickets: queue.tickets,
      collateralAmount: queue.collateral,
      amount: queue.amount.amount,
      payableAmount: queue.payable.amount,
      missingAmount: queue.missing.amount,
      freeAmount: queue.free.amount,
      ...present({ value: queue.amount.usd, minTicketUsd: queue.minTicketUsd }),
      issuanceBlock: queue.issuanceBlock,
      paymentBlock: queue.paymentBlock,
      cancellationBlock: queue.cancellationBlock,
      queue: withdrawTickets.nodes.map(({ owner, ...ticket }) => ({
        ...restTicket(ticket),
        owner: owner.address,
      })),
      ...present({ paginationToken: hasNextPage ? endCursor : null }),
    };
  },
};
