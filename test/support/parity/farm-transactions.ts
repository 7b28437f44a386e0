import type { Graph, NullRule, ParityRow } from './parity-row.ts';

type Text = string | null;

interface Transaction {
  readonly createdAt: string;
  readonly signature: string;
  readonly kind: 'STAKE' | 'UNSTAKE' | 'WITHDRAW' | 'HARVEST';
  readonly amount: { readonly amount: string; readonly usd: Text } | null;
  readonly farmAddress: string;
  readonly tokenMint: string;
}

interface Connection {
  readonly nodes: readonly Transaction[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
}

const PAGE = `{ pageInfo { hasNextPage endCursor }
  nodes { createdAt signature kind amount { amount usd } farmAddress tokenMint } }`;
const OF_WALLET = `query ($address: Address!, $after: String) { wallet(address: $address) {
  transactions: farmTransactions(first: 50, after: $after) ${PAGE} } }`;
const OF_FARM = `query ($address: Address!, $after: String) { vault(address: $address) {
  farm { transactions(first: 50, after: $after) ${PAGE} } } }`;

const INSTRUCTIONS = {
  STAKE: 'deposit',
  UNSTAKE: 'pending-withdraw',
  WITHDRAW: 'withdraw',
  HARVEST: 'claim',
};

async function all(read: (after: Text) => Promise<Connection>): Promise<Transaction[]> {
  const list: Transaction[] = [];
  for (let after: Text = null, more = true; more; ) {
    const page: Connection = await read(after);
    list.push(...page.nodes);
    ({ hasNextPage: more, endCursor: after } = page.pageInfo);
  }
  return list;
}

const ofWallet = (graph: Graph, address: unknown) =>
  all(
    async (after) =>
      (await graph<{ wallet: { transactions: Connection } }>(OF_WALLET, { address, after })).wallet
        .transactions,
  );
const ofFarm = (graph: Graph, address: unknown) =>
  all(
    async (after) =>
      (await graph<{ vault: { farm: { transactions: Connection } } }>(OF_FARM, { address, after })).vault.farm
        .transactions,
  );

const restRow = (each: Transaction, rule: NullRule) => ({
  createdOn: each.createdAt,
  transactionSignature: each.signature,
  instruction: INSTRUCTIONS[each.kind],
  tokenAmount: rule.decimal(each.amount?.amount),
  usdAmount: rule.decimal(each.amount?.usd),
});

export const FARM_TRANSACTION_PARITY: readonly ParityRow[] = [
  {
    path: '/farms/users/{pubkey}/transactions',
    cases: ({ wallets }) =>
      wallets.slice(0, 8).flatMap((address) => {
        const url = `/farms/users/${address}/transactions`;
        return [
          { url, variables: { address } },
          { url: `${url}?sort=asc`, variables: { address, sort: 'asc' } },
        ];
      }),
    async twin(graph, { address, sort }, rule) {
      const list = await ofWallet(graph, address);
      const rows = list.map((each) => ({
        ...restRow(each, rule),
        farm: each.farmAddress,
        token: each.tokenMint,
      }));
      return { result: sort === 'asc' ? rows.reverse() : rows };
    },
  },
  {
    path: '/farms/{pubkey}/transactions',
    cases: ({ addresses: { farm, vault } }) => [
      { url: `/farms/${farm}/transactions`, variables: { address: vault } },
    ],
    async twin(graph, { address }, rule) {
      return { result: (await ofFarm(graph, address)).slice(0, 1_000).map((each) => restRow(each, rule)) };
    },
    without: ['paginationToken'],
  },
];
