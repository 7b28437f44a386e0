import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

interface Answer {
  readonly obligation: {
    readonly borrowOrderFills: readonly {
      readonly isFull: boolean;
      readonly transaction: {
        readonly createdAt: string;
        readonly signature: string;
        readonly reserve: { readonly token: { readonly mint: string } } | null;
        readonly liquidity: { readonly baseUnits: string } | null;
      };
    }[];
  };
}

const QUERY = `query ($address: Address!) { obligation(address: $address) { borrowOrderFills {
  isFull transaction { createdAt signature reserve { token { mint } } liquidity { baseUnits } }
} } }`;

const of = (obligation: string) => `/v2/svc-market/obligations/${obligation}/borrow-order-fills`;

export const ORDER_FILLS_ROW: OperationRow = {
  method: 'get',
  path: of('{pubkey}'),
  answer: {
    fields: {
      fills: {
        list: {
          fields: {
            eventType: { oneOf: ['partial_fill', 'full_fill'] },
            eventTimestamp: 'date',
            transactionSignature: 'label',
            debtLiquidityMint: 'address',
            filledAmount: 'integerString',
          },
        },
      },
    },
  },
  requests: ({ obligations, addresses: { orderedObligation } }) =>
    [orderedObligation, ...obligations.slice(0, 4).map((each) => each.address)].map((address) => ({
      url: of(address),
      variables: { address },
    })),
  refusals: ({ addresses: { vault, emptyWallet } }) => [
    badRequest('no address', of('nonsense'), 'pubkey'),
    ...[vault, emptyWallet].map((each) => ({
      name: `no obligation at ${each}`,
      ask: { url: of(each) },
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    })),
  ],
  async twin(graph, variables) {
    const { obligation } = await graph<Answer>(QUERY, variables);
    return {
      fills: obligation.borrowOrderFills.map(({ isFull, transaction }) => ({
        eventType: isFull ? 'full_fill' : 'partial_fill',
        eventTimestamp: transaction.createdAt,
        transactionSignature: transaction.signature,
        debtLiquidityMint: transaction.reserve?.token.mint ?? NO_ADDRESS,
        filledAmount: transaction.liquidity?.baseUnits ?? '0',
      })),
    };
  },
};
