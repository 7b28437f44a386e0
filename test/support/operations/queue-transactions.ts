import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import {
  BY_OBLIGATION,
  byObligation,
  OF_WALLET,
  transactionsOf,
  wrongInput,
} from './lending-transactions.ts';
import type { NullRule } from './null-rule.ts';
import type { Graph, OperationRequest, OperationRow, Variables } from './operation-row.ts';
import { badRequest } from './refusals.ts';

/** Transactions of withdraw queues: with those of obligations for a wallet, and those that a vault caused. */

export const QUEUE_TRANSACTION_FIELDS = {
  createdOn: 'date',
  timestamp: 'epochMs',
  transactionSignature: 'label',
  transactionName: {
    oneOf: [
      'enqueueToWithdraw',
      'withdrawQueuedLiquidity',
      'cancelWithdrawTicket',
      'recoverInvalidTicketCollateral',
    ],
  },
  transactionDisplayName: { oneOf: ['Enqueue', 'Withdraw', 'Cancel', 'Recover'] },
  reserve: 'address',
  withdrawTicket: 'address',
  liquidityToken: 'label',
  liquidityTokenMint: 'address',
  liquidityTokenAmount: 'decimal',
  liquidityTokenPrice: 'decimal',
  solPrice: 'decimal',
  liquidityUsdValue: 'decimal',
} as const satisfies Record<string, Shape>;

const QUEUE_TRANSACTION: Shape = { fields: QUEUE_TRANSACTION_FIELDS };

export interface QueueTransaction {
  readonly createdAt: string;
  readonly signature: string;
  readonly instruction: string;
  readonly kind: string;
  readonly ticketAddress: string;
  readonly marketAddress: string;
  readonly reserveAddress: string;
  readonly reserve: { readonly token: { readonly mint: string; readonly symbol: string } };
  readonly liquidity: { readonly amount: string } | null;
  readonly tokenPriceUsd: Text;
  readonly solPriceUsd: Text;
  readonly valueUsd: Text;
}

const ROW = `createdAt signature instruction kind ticketAddress marketAddress reserveAddress
  reserve { token { mint symbol } } liquidity { amount } tokenPriceUsd solPriceUsd valueUsd`;

const TICKETS_OF_WALLET = `query ($address: Address!, $market: Address, $after: String) { wallet(address: $address) {
  transactions: withdrawQueueTransactions(market: $market, first: 2, after: $after) {
    pageInfo { hasNextPage endCursor } nodes { ${ROW} } } } }`;

const OF_VAULT = `query ($address: Address!) { vault(address: $address) { enqueuedWithdrawals { ${ROW} } } }`;

export const restRow = (each: QueueTransaction, rule: NullRule) => ({
  createdOn: each.createdAt,
  timestamp: Date.parse(each.createdAt),
  transactionSignature: each.signature,
  transactionName: each.instruction,
  transactionDisplayName: `${each.kind.slice(0, 1)}${each.kind.slice(1).toLowerCase()}`,
  reserve: each.reserveAddress,
  withdrawTicket: each.ticketAddress,
  liquidityToken: each.reserve.token.symbol,
  liquidityTokenMint: each.reserve.token.mint,
  liquidityTokenAmount: rule.decimal(each.liquidity?.amount),
  liquidityTokenPrice: rule.decimal(each.tokenPriceUsd),
  solPrice: rule.decimal(each.solPriceUsd),
  liquidityUsdValue: rule.decimal(each.valueUsd),
});

interface Tickets {
  readonly wallet: {
    readonly transactions: {
      readonly nodes: readonly QueueTransaction[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
    };
  };
}

async function ticketsOf(graph: Graph, { sort, ...variables }: Variables): Promise<QueueTransaction[]> {
  const list: QueueTransaction[] = [];
  for (let after: Text = null, more = true; more; ) {
    const { wallet }: Tickets = await graph<Tickets>(TICKETS_OF_WALLET, { ...variables, after });
    list.push(...wallet.transactions.nodes);
    ({ hasNextPage: more, endCursor: after } = wallet.transactions.pageInfo);
  }
  return sort === 'desc' ? list : list.reverse();
}

const ofUser = (user: string) => `/v3/svc-market/users/${user}/transactions`;
const inMarket = (market: string, user: string) => `/v3/svc-market/${market}/users/${user}/transactions`;
const ofVault = (vault: string) => `/kvaults/vaults/${vault}/enqueued-withdraw-transactions`;

/** Oldest first unless the query says otherwise. */
const inBothOrders = (url: string, variables: Variables): OperationRequest[] => [
  { url, variables: { ...variables, sort: 'asc' } },
  { url: `${url}?sort=desc&env=localnet`, variables: { ...variables, sort: 'desc' } },
];

const BOTH: Readonly<Record<string, Shape>> = {
  obligations: BY_OBLIGATION,
  withdrawQueueTransactions: { list: QUEUE_TRANSACTION },
};

export const QUEUE_TRANSACTION_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: ofUser('{userPubkey}'),
    answer: { list: { fields: { market: 'address', ...BOTH } } },
    requests: ({ addresses: { wallet, emptyWallet, queuedWallet } }) =>
      [wallet, emptyWallet, queuedWallet].flatMap((address) => inBothOrders(ofUser(address), { address })),
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', ofUser('nonsense'), 'userPubkey'),
      ...wrongInput(ofUser(wallet)),
    ],
    async twin(graph, variables, rule) {
      const list = await transactionsOf(graph, OF_WALLET, variables);
      const tickets = await ticketsOf(graph, variables);
      const markets = [...new Set([...list, ...tickets].map(({ marketAddress }) => marketAddress))].sort();
      return markets.map((market) => ({
        market,
        obligations: byObligation(
          list.filter(({ marketAddress }) => marketAddress === market),
          rule,
        ),
        withdrawQueueTransactions: tickets
          .filter(({ marketAddress }) => marketAddress === market)
          .map((each) => restRow(each, rule)),
      }));
    },
  },
  {
    method: 'get',
    path: inMarket('{marketPubkey}', '{userPubkey}'),
    answer: { fields: BOTH },
    requests: ({ addresses: { market, wallet, queuedWallet, queuedMarket } }) => [
      ...inBothOrders(inMarket(market, wallet), { address: wallet, market }),
      ...inBothOrders(inMarket(queuedMarket, queuedWallet), { address: queuedWallet, market: queuedMarket }),
      ...inBothOrders(inMarket(market, queuedWallet), { address: queuedWallet, market }),
    ],
    refusals: ({ addresses: { market, wallet, emptyWallet } }) => [
      badRequest('no market', inMarket('nonsense', wallet), 'marketPubkey'),
      badRequest('no address', inMarket(market, 'nonsense'), 'userPubkey'),
      {
        name: 'a market that is none',
        ask: { url: inMarket(emptyWallet, wallet) },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...wrongInput(inMarket(market, wallet)),
    ],
    async twin(graph, variables, rule) {
      return {
        obligations: byObligation(await transactionsOf(graph, OF_WALLET, variables), rule),
        withdrawQueueTransactions: (await ticketsOf(graph, variables)).map((each) => restRow(each, rule)),
      };
    },
  },
  {
    method: 'get',
    path: ofVault('{pubkey}'),
    answer: { list: QUEUE_TRANSACTION },
    requests: ({ vaults, addresses: { vault } }) =>
      [vault, ...vaults.slice(9, 11).map(({ address }) => address)].map((address) => ({
        url: ofVault(address),
        variables: { address },
      })),
    refusals: ({ addresses: { emptyWallet } }) => [
      badRequest('no address', ofVault('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: ofVault(emptyWallet) }, status: 400 },
    ],
    async twin(graph, variables, rule) {
      const { vault } = await graph<{ vault: { enqueuedWithdrawals: QueueTransaction[] } }>(
        OF_VAULT,
        variables,
      );
      return vault.enqueuedWithdrawals.map((each) => restRow(each, rule));
    },
  },
];
