import { graphql, type ResultOf } from '@sluice/client';

const TICKET = graphql(`
  fragment QueueTicketFields on WithdrawTicket @_unmask {
    address
    sequenceNumber
    state
    createdAt
    amount { amount usd }
    ticketsAhead
    amountAhead { amount usd }
    payable { amount usd }
    estimate {
      state
      paidAt
      missing { amount }
      inflow { from perDay { amount } }
    }
  }
`);

/** The queue alone, which every reserve has. */
export const RESERVE_QUEUE = graphql(`
  query ReserveQueue($address: Address!) {
    reserve(address: $address) {
      id
      token { id symbol }
      withdrawQueue {
        tickets
        amount { amount usd }
        payable { amount usd }
        missing { amount usd }
        free { amount usd }
        minTicketUsd
        issuanceBlock
        paymentBlock
        cancellationBlock
      }
    }
  }
`);

/** Its tickets need a search of the program. */
export const QUEUE_TICKETS = graphql(
  `
    query QueueTickets($address: Address!, $after: String) {
      reserve(address: $address) {
        id
        token { id symbol }
        withdrawTickets(first: 20, after: $after) {
          totalCount
          pageInfo { endCursor hasNextPage }
          nodes { ...QueueTicketFields owner { id address } }
        }
      }
    }
  `,
  [TICKET],
);

export const WALLET_TICKETS = graphql(
  `
    query WalletTickets($address: Address!, $after: String) {
      wallet(address: $address) {
        id
        withdrawTickets(first: 20, after: $after) {
          totalCount
          pageInfo { endCursor hasNextPage }
          nodes { ...QueueTicketFields reserveAddress reserve { id address marketAddress token { id symbol } } }
        }
      }
    }
  `,
  [TICKET],
);

export type ReserveQueue = NonNullable<ResultOf<typeof RESERVE_QUEUE>['reserve']>;
export type QueueBlock = NonNullable<ReserveQueue['withdrawQueue']['paymentBlock']>;
export type QueueTicket = ResultOf<typeof TICKET>;
export type TicketState = QueueTicket['state'];
export type TicketEstimate = NonNullable<QueueTicket['estimate']>;

type Nodes<Connection> = Connection extends { readonly nodes: readonly (infer Item)[] } ? Item : never;

export type OwnedTicket = Nodes<NonNullable<ResultOf<typeof QUEUE_TICKETS>['reserve']>['withdrawTickets']>;
export type WalletTicket = Nodes<ResultOf<typeof WALLET_TICKETS>['wallet']['withdrawTickets']>;
