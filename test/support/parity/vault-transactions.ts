import type { NullRule, ParityRow } from './parity-row.ts';

interface Transaction {
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
  readonly nodes: readonly Transaction[];
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

function restRow(each: Transaction, rule: NullRule) {
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

export const VAULT_TRANSACTION_PARITY: readonly ParityRow[] = [
  {
    path: '/kvaults/vaults/{pubkey}/transactions',
    cases: ({ vaults, addresses }) =>
      [
        // With many transactions, none and one.
        ...vaults.slice(9, 12).map(({ address }) => ({ address, body: {}, kinds: ALL })),
        { address: addresses.vault, body: { instruction: 'withdraw' }, kinds: ['WITHDRAW'] },
        { address: addresses.vault, body: { instruction: 'invest', direction: 'asc' }, kinds: ['INVEST'] },
      ].map(({ address, body, kinds }) => ({
        url: `/kvaults/vaults/${address}/transactions`,
        body,
        variables: { address, kinds, direction: 'direction' in body ? body.direction : 'desc' },
      })),
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
  },
];
