import type { Graph, OperationRow, Refusal, Variables } from './operation-row.ts';
import { badRequest, wrong } from './refusals.ts';

const MINIMAL = '/luts/find-minimal';
const MANAGED = '/luts/managed';

const BATCH = '/luts/managed/batch';
const ofType = (type: string) => `/luts/managed/product-type/${type}`;
const batchOf = (products: readonly string[]) =>
  `${BATCH}?${products.map((each) => `productIdentifierAddress=${each}`).join('&')}`;

const managedOf = (product: string) => `${MANAGED}?productIdentifierAddress=${product}`;

const wrongBody = (name: string, body: Variables, at: string): Refusal => ({
  name,
  ask: { url: MINIMAL, body },
  ...wrong,
  at,
});

interface Table {
  readonly address: string;
}

/** Either field is null with an error for an address of the other kind, so each is asked alone. */
const managed = (kind: string) =>
  `query ($product: Address!) { product: ${kind}(address: $product) { lookupTable { address } } }`;

async function tablesOf(graph: Graph, kind: string, product: string): Promise<string[]> {
  const answer = await graph<{ product: { lookupTable: Table | null } }>(managed(kind), { product });
  const { lookupTable } = answer.product;
  return lookupTable === null ? [] : [lookupTable.address];
}

export const LOOKUP_TABLE_ROWS: readonly OperationRow[] = [
  {
    method: 'post',
    path: MINIMAL,
    answer: { fields: { lutAddresses: { list: 'address' } } },
    requests: ({
      reserves,
      vaults,
      addresses: { market, reserve, vault, tokenMint, wallet, emptyWallet },
    }) => {
      const some = [market, wallet, ...reserves.slice(0, 8).map(({ address }) => address)];
      const many = [...some, ...vaults.slice(0, 12).map(({ address }) => address)];
      return [
        { addresses: [] },
        { addresses: [market, reserve, vault, tokenMint, wallet], userAccounts: [wallet] },
        { addresses: [market, reserve], verify: true },
        { addresses: [emptyWallet], verify: false, userAccounts: [] },
        { addresses: some },
        { addresses: many, userAccounts: [wallet] },
        { addresses: many, verify: true },
      ].map(({ addresses, ...rest }) => ({
        url: MINIMAL,
        body: { addresses, ...rest },
        variables: { covering: addresses, ...rest },
      }));
    },
    refusals: ({ addresses: { market } }) => [
      wrongBody('nothing', {}, 'addresses'),
      wrongBody('one address', { addresses: market }, 'addresses'),
      wrongBody('no address', { addresses: [market, 'nonsense'] }, 'addresses'),
      wrongBody('101 addresses', { addresses: Array.from({ length: 101 }, () => market) }, 'addresses'),
      wrongBody('a word', { addresses: [market], verify: 'yes' }, 'verify'),
      wrongBody('no accounts', { addresses: [market], userAccounts: [5] }, 'userAccounts'),
    ],
    async twin(graph, variables) {
      const document = `query ($covering: [Address!]!, $userAccounts: [Address!], $verify: Boolean) {
        lookupTables(covering: $covering, userAccounts: $userAccounts, verify: $verify) { address }
      }`;
      const { lookupTables } = await graph<{ lookupTables: readonly Table[] }>(document, variables);
      return { lutAddresses: lookupTables.map(({ address }) => address) };
    },
  },
  {
    method: 'get',
    path: MANAGED,
    answer: { fields: { productIdentifierAddress: 'address', lutAddresses: { list: 'address' } } },
    requests: ({ vaults, markets }) =>
      [
        ...vaults.map(({ address }) => ({ product: address, kind: 'vault' })),
        ...markets.map((product) => ({ product, kind: 'market' })),
      ].map((variables) => ({ url: managedOf(variables.product), variables })),
    refusals: ({ addresses: { reserve, emptyWallet } }) => [
      ...['nonsense', ''].map((product) =>
        badRequest(`no address: ${product}`, managedOf(product), 'productIdentifierAddress'),
      ),
      { name: 'missing', ask: { url: MANAGED }, status: 400, at: 'productIdentifierAddress' },
      { name: 'nothing there', ask: { url: managedOf(emptyWallet) }, status: 404 },
      { name: 'a reserve', ask: { url: managedOf(reserve) }, status: 404 },
    ],
    async twin(graph, { product, kind }) {
      return {
        productIdentifierAddress: product,
        lutAddresses: await tablesOf(graph, String(kind), String(product)),
      };
    },
  },
  {
    method: 'get',
    path: BATCH,
    answer: {
      list: { fields: { productIdentifierAddress: 'address', lutAddresses: { list: 'address' } } },
    },
    requests: ({ vaults, markets, addresses: { reserve, emptyWallet } }) => {
      const [first = '', second = ''] = vaults.map(({ address }) => address);
      const [market = ''] = markets;
      const kinds = { [second]: 'vault', [market]: 'market', [first]: 'vault' };
      return [
        { url: batchOf([second, market, first]), variables: { kinds } },
        { url: `${BATCH}?productIdentifierAddress=${first}`, variables: { kinds: { [first]: 'vault' } } },
        {
          url: `${BATCH}?productIdentifierAddress[]=${second}&productIdentifierAddress[]=${market},${first}`,
          variables: { kinds },
        },
        {
          url: batchOf([reserve, emptyWallet]),
          variables: { kinds: { [reserve]: null, [emptyWallet]: null } },
        },
      ];
    },
    refusals: ({ addresses: { vault } }) => [
      { name: 'none', ask: { url: BATCH }, status: 400, at: 'productIdentifierAddress' },
      badRequest('no address', batchOf([vault, 'nonsense']), 'productIdentifierAddress'),
      badRequest(
        '101 addresses',
        batchOf(Array.from({ length: 101 }, () => vault)),
        'productIdentifierAddress',
      ),
    ],
    async twin(graph, { kinds }) {
      return await Promise.all(
        Object.entries(kinds as Readonly<Record<string, string | null>>).map(async ([product, kind]) => ({
          productIdentifierAddress: product,
          lutAddresses: kind === null ? [] : await tablesOf(graph, kind, product),
        })),
      );
    },
  },
  {
    method: 'get',
    path: ofType('{productType}'),
    answer: {
      list: {
        fields: {
          productIdentifierAddress: 'address',
          productType: { oneOf: ['vault', 'market'] },
          lutAddresses: { list: 'address', length: 1 },
        },
      },
    },
    requests: () =>
      ['vault', 'market', 'swap_pair', 'strategy', 'meta_vault'].map((type) => ({
        url: ofType(type),
        variables: { type },
      })),
    refusals: () => [badRequest('another kind', ofType('reserve'), 'productType')],
    async twin(graph, { type }) {
      if (type !== 'vault' && type !== 'market') return [];
      const { products } = await graph<{
        products: { nodes: readonly { address: string; lookupTable: Table | null }[] };
      }>(`{ products: ${type}s(first: 100) { nodes { address lookupTable { address } } } }`);
      return products.nodes
        .flatMap(({ address, lookupTable }) =>
          lookupTable === null
            ? []
            : [
                {
                  productIdentifierAddress: address,
                  productType: type,
                  lutAddresses: [lookupTable.address],
                },
              ],
        )
        .sort((a, b) => (a.productIdentifierAddress < b.productIdentifierAddress ? -1 : 1));
    },
  },
];
