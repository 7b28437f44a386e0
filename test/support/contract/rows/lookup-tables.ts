import type { ContractRow, Refusal } from './contract-row.ts';

const MINIMAL = '/luts/find-minimal';
const MANAGED = '/luts/managed';

const managedOf = (product: string) => ({ url: `${MANAGED}?productIdentifierAddress=${product}` });

function wrongBody(name: string, body: Readonly<Record<string, unknown>>, at: string): Refusal {
  return { name, ask: { url: MINIMAL, body }, status: 400, code: 'BAD_REQUEST', at };
}

export const LOOKUP_TABLE_ROWS: readonly ContractRow[] = [
  {
    method: 'post',
    path: MINIMAL,
    answer: { fields: { lutAddresses: { list: 'address' } } },
    asks: ({ addresses: { market, reserve, vault, tokenMint, wallet, emptyWallet } }) =>
      [
        { addresses: [] },
        { addresses: [market, reserve, vault, tokenMint, wallet], userAccounts: [wallet] },
        { addresses: [market, reserve], verify: true },
        { addresses: [emptyWallet], verify: false, userAccounts: [] },
      ].map((body) => ({ url: MINIMAL, body })),
    refusals: ({ addresses: { market } }) => [
      wrongBody('nothing', {}, 'addresses'),
      wrongBody('one address', { addresses: market }, 'addresses'),
      wrongBody('no address', { addresses: [market, 'nonsense'] }, 'addresses'),
      wrongBody('101 addresses', { addresses: Array.from({ length: 101 }, () => market) }, 'addresses'),
      wrongBody('a word', { addresses: [market], verify: 'yes' }, 'verify'),
      wrongBody('no accounts', { addresses: [market], userAccounts: [5] }, 'userAccounts'),
    ],
  },
  {
    method: 'get',
    path: MANAGED,
    answer: { fields: { productIdentifierAddress: 'address', lutAddresses: { list: 'address' } } },
    asks: ({ vaults, markets }) => [...vaults.map(({ address }) => address), ...markets].map(managedOf),
    refusals: ({ addresses: { reserve, emptyWallet } }) => [
      ...['nonsense', ''].map(
        (product): Refusal => ({
          name: `no address: ${product}`,
          ask: managedOf(product),
          status: 400,
          code: 'BAD_REQUEST',
          at: 'productIdentifierAddress',
        }),
      ),
      { name: 'missing', ask: { url: MANAGED }, status: 400, at: 'productIdentifierAddress' },
      { name: 'nothing there', ask: managedOf(emptyWallet), status: 404 },
      { name: 'a reserve', ask: managedOf(reserve), status: 404 },
    ],
  },
];
