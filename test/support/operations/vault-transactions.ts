import type { Shape } from '../contract/field-shapes.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow, Variables } from './operation-row.ts';
import { wrong } from './refusals.ts';

const PRICED = ['solPrice', 'sharePrice', 'tokenPrice', 'tokenAmount', 'numberOfShares'];

export const VAULT_TRANSACTION: Shape = {
  fields: {
    ix: {
      fields: {
        'market?': 'address',
        'reserve?': 'address',
        ...Object.fromEntries(PRICED.map((name) => [name, 'decimal' as const])),
      },
    },
    timestamp: 'date',
    signature: 'label',
    kvault: 'address',
    wallet: 'address',
  },
};

const TRANSACTIONS: Shape = {
  fields: { result: { list: VAULT_TRANSACTION }, 'paginationToken?': 'label' },
};

const transactionsOf = (pubkey: string) => `/kvaults/vaults/${pubkey}/transactions`;

export interface VaultTransaction {
  readonly createdAt: string;
  readonly signature: string;
  readonly wallet: { readonly address: string };
  readonly vault: { readonly address: string };
  readonly reserveAddress: string | null;
  readonly reserve: { readonly marketAddress: string } | null;
  readonly tokens: { readonly amount: string };
  readonly shares: string;
  readonly sharePriceUsd: string | null;
  readonly tokenPriceUsd: string | null;
  readonly solPriceUsd: string | null;
}

interface Connection {
  readonly nodes: readonly VaultTransaction[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

const PAGE = `query ($address: Address!, $kinds: [VaultTransactionKind!], $range: TimeRange, $after: String) {
  vault(address: $address) { transactions(filter: { kinds: $kinds, range: $range }, first: 100, after: $after) {
    nodes {
      createdAt signature wallet { address } vault { address } reserveAddress reserve { marketAddress }
      tokens { amount } shares sharePriceUsd tokenPriceUsd solPriceUsd
    }
    pageInfo { hasNextPage endCursor }
  } }
}`;

const ALL = ['DEPOSIT', 'WITHDRAW', 'INVEST'];

export function restRow(each: VaultTransaction, rule: NullRule) {
  return {
    ix: {
      ...(each.reserve === null ? {} : { market: each.reserve.marketAddress }),
      ...(each.reserveAddress === null ? {} : { reserve: each.reserveAddress }),
      solPrice: rule.decimal(each.solPriceUsd),
      sharePrice: rule.decimal(each.sharePriceUsd),
      tokenPrice: rule.decimal(each.tokenPriceUsd),
      tokenAmount: each.tokens.amount,
      numberOfShares: each.shares,
    },
    timestamp: each.createdAt,
    signature: each.signature,
    kvault: each.vault.address,
    wallet: each.wallet.address,
  };
}

export const VAULT_TRANSACTION_ROW: OperationRow = {
  method: 'post',
  path: transactionsOf('{pubkey}'),
  answer: TRANSACTIONS,
  requests: ({ vaults, addresses: { vault } }) => {
    const of = (address: string, body: Variables, variables: Variables) => ({
      url: transactionsOf(address),
      body,
      variables: { address, direction: 'desc', ...variables },
    });
    return [
      // With many transactions, none and one.
      ...vaults.slice(9, 12).map(({ address }) => of(address, {}, { kinds: ALL })),
      of(vault, { instruction: 'withdraw' }, { kinds: ['WITHDRAW'] }),
      of(vault, { instruction: 'invest' }, { kinds: ['INVEST'] }),
      of(vault, { instruction: 'invest', direction: 'asc' }, { kinds: ['INVEST'], direction: 'asc' }),
      of(vault, { instruction: 'withdraw', direction: 'asc' }, { kinds: ['WITHDRAW'], direction: 'asc' }),
      of(
        vault,
        { start: '2026-05-30', end: 1_780_185_600_000 },
        { kinds: ALL, range: { start: '2026-05-30', end: '2026-05-31' } },
      ),
    ];
  },
  refusals: ({ addresses: { vault, emptyWallet } }) => [
    { name: 'no address', ask: { url: transactionsOf('nonsense'), body: {} }, ...wrong, at: 'pubkey' },
    { name: 'nothing there', ask: { url: transactionsOf(emptyWallet), body: {} }, status: 404 },
    ...(
      [
        ['instruction', { instruction: 'borrow' }],
        ['direction', { direction: 'up' }],
        ['start', { start: '2026-02-01', end: '2026-01-01' }],
        ['start', { start: true }],
        ['paginationToken', { paginationToken: 5 }],
        ['paginationToken', { paginationToken: 'nonsense' }],
      ] as const
    ).map(([at, body]) => ({
      name: JSON.stringify(body),
      ask: { url: transactionsOf(vault), body },
      ...wrong,
      at,
    })),
  ],
  /** All pages of the graph: one of REST has room for a thousand. */
  async twin(graph, { direction, ...variables }, rule) {
    const rows: object[] = [];
    for (let after: string | null = null; ; ) {
      const page: { vault: { transactions: Connection } } = await graph(PAGE, { ...variables, after });
      const { nodes, pageInfo } = page.vault.transactions;
      rows.push(...nodes.map((each) => restRow(each, rule)));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    return { result: direction === 'asc' ? rows.reverse() : rows };
  },
};
