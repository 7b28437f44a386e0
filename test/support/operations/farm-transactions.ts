import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { Graph, OperationRow, Refusal } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const FIELDS: Readonly<Record<string, Shape>> = {
  createdOn: 'date',
  transactionSignature: 'label',
  instruction: { oneOf: ['deposit', 'pending-withdraw', 'withdraw', 'claim'] },
  tokenAmount: 'decimal',
  usdAmount: 'decimal',
};

const page = (item: Readonly<Record<string, Shape>>): Shape => ({
  fields: { result: { list: { fields: item } }, 'paginationToken?': 'label' },
});

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

const allOfWallet = (graph: Graph, address: unknown) =>
  all(
    async (after) =>
      (await graph<{ wallet: { transactions: Connection } }>(OF_WALLET, { address, after })).wallet
        .transactions,
  );

const allOfFarm = (graph: Graph, address: unknown) =>
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

const ofUser = (user: string) => `/farms/users/${user}/transactions`;

const ofFarm = (farm: string) => `/farms/${farm}/transactions`;

const managementOf = (farm: string) => `/farms/${farm}/management-history`;

const MANAGEMENT = `query ($address: Address!) { vault(address: $address) { farm {
  managementHistory(first: 100) { nodes { createdAt signature instruction farmAddress signer { address }
    amount { amount usd } tokenMint rewardIndex configMode details } }
} } }`;

interface ManagementAnswer {
  readonly vault: {
    readonly farm: {
      readonly managementHistory: {
        readonly nodes: readonly {
          readonly createdAt: string;
          readonly signature: string;
          readonly instruction: string;
          readonly farmAddress: string;
          readonly signer: { readonly address: string };
          readonly amount: { readonly amount: string; readonly usd: Text } | null;
          readonly tokenMint: Text;
          readonly rewardIndex: number | null;
          readonly configMode: Text;
          readonly details: object;
        }[];
      };
    };
  };
}

/** A token of a list of vaults. */
const FOREIGN = 'MS4wLjEuMC5hYmM';

const wrongInput = (url: string): Refusal[] =>
  [
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'many'],
    ['sort', 'newest'],
    ['paginationToken', FOREIGN],
    ['paginationToken', 'nonsense'],
  ].map(([at = '', value = '']) => badRequest(`${at}=${value}`, `${url}?${at}=${value}`, at));

export const FARM_TRANSACTION_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: ofUser('{pubkey}'),
    answer: page({ ...FIELDS, farm: 'address', token: 'address' }),
    requests: ({ wallets, addresses: { wallet } }) => [
      ...wallets.slice(0, 10).flatMap((address) => [
        { url: ofUser(address), variables: { address } },
        { url: `${ofUser(address)}?sort=asc`, variables: { address, sort: 'asc' } },
      ]),
      { url: `${ofUser(wallet)}?limit=1` },
      { url: `${ofUser(wallet)}?limit=1000&sort=asc`, variables: { address: wallet, sort: 'asc' } },
      { url: `${ofUser(wallet)}?sort=desc`, variables: { address: wallet } },
      { url: `${ofUser(wallet)}?limit=1&noPagination=true`, variables: { address: wallet } },
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', ofUser('nonsense'), 'pubkey'),
      badRequest('no switch', `${ofUser(wallet)}?noPagination=maybe`, 'noPagination'),
      ...wrongInput(ofUser(wallet)),
    ],
    async twin(graph, { address, sort }, rule) {
      const list = await allOfWallet(graph, address);
      const rows = list.map((each) => ({
        ...restRow(each, rule),
        farm: each.farmAddress,
        token: each.tokenMint,
      }));
      return { result: sort === 'asc' ? rows.reverse() : rows };
    },
  },
  {
    method: 'get',
    path: ofFarm('{pubkey}'),
    answer: page(FIELDS),
    requests: ({ addresses: { farm, vault } }) => [
      { url: ofFarm(farm), variables: { address: vault } },
      { url: `${ofFarm(farm)}?sort=desc`, variables: { address: vault } },
      { url: `${ofFarm(farm)}?limit=1` },
      { url: `${ofFarm(farm)}?limit=1000&sort=asc` },
    ],
    refusals: ({ addresses: { farm, emptyWallet, vault } }) => [
      badRequest('no address', ofFarm('nonsense'), 'pubkey'),
      { name: 'a wallet', ask: { url: ofFarm(emptyWallet) }, status: 400 },
      { name: 'a vault', ask: { url: ofFarm(vault) }, status: 400 },
      ...wrongInput(ofFarm(farm)),
    ],
    without: ['paginationToken'],
    async twin(graph, { address }, rule) {
      return { result: (await allOfFarm(graph, address)).slice(0, 1_000).map((each) => restRow(each, rule)) };
    },
  },
  {
    method: 'get',
    path: managementOf('{farmPubkey}'),
    answer: page({
      createdOn: 'date',
      transactionSignature: 'label',
      instruction: 'label',
      farm: 'address',
      signer: 'address',
      tokenAmount: { nullable: 'decimal' },
      usdAmount: { nullable: 'decimal' },
      token: { nullable: 'address' },
      rewardIndex: { nullable: 'integer' },
      configMode: { nullable: 'label' },
      details: { map: 'anything' },
    }),
    requests: ({ addresses: { farm, vault } }) => [
      { url: managementOf(farm), variables: { address: vault } },
      { url: `${managementOf(farm)}?limit=1000&sort=asc` },
    ],
    refusals: ({ addresses: { farm, emptyWallet } }) => [
      badRequest('no address', managementOf('nonsense'), 'farmPubkey'),
      { name: 'a wallet', ask: { url: managementOf(emptyWallet) }, status: 400 },
      ...wrongInput(managementOf(farm)),
    ],
    async twin(graph, { address }) {
      const { vault } = await graph<ManagementAnswer>(MANAGEMENT, { address });
      return {
        result: vault.farm.managementHistory.nodes.map(({ createdAt, signature, amount, ...each }) => ({
          createdOn: createdAt,
          transactionSignature: signature,
          instruction: each.instruction,
          farm: each.farmAddress,
          signer: each.signer.address,
          tokenAmount: amount?.amount ?? null,
          usdAmount: amount?.usd ?? null,
          token: each.tokenMint,
          rewardIndex: each.rewardIndex,
          configMode: each.configMode,
          details: each.details,
        })),
      };
    },
  },
];
