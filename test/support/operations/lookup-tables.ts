import type { OperationRow, Refusal, Variables } from './operation-row.ts';
import { badRequest, wrong } from './refusals.ts';

const MINIMAL = '/luts/find-minimal';
const MANAGED = '/luts/managed';

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
      const answer = await graph<{ product: { lookupTable: Table | null } }>(managed(String(kind)), {
        product,
      });
      const { lookupTable } = answer.product;
      return {
        productIdentifierAddress: product,
        lutAddresses: lookupTable === null ? [] : [lookupTable.address],
      };
    },
  },
];
