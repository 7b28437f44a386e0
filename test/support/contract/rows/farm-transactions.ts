import type { Shape } from '../field-shapes.ts';
import type { ContractRow, Refusal } from './contract-row.ts';

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

const ofUser = (user: string) => `/farms/users/${user}/transactions`;
const ofFarm = (farm: string) => `/farms/${farm}/transactions`;

const wrong = { status: 400, code: 'BAD_REQUEST' };
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
  ].map(([at = '', value = '']) => ({
    name: `${at}=${value}`,
    ask: { url: `${url}?${at}=${value}` },
    ...wrong,
    at,
  }));

const QUERIES = ['?limit=1', '?limit=1000&sort=asc', '?sort=desc'];

export const FARM_TRANSACTION_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: ofUser('{pubkey}'),
    answer: page({ ...FIELDS, farm: 'address', token: 'address' }),
    asks: ({ wallets, addresses: { wallet } }) => [
      ...wallets.slice(0, 10).map((each) => ({ url: ofUser(each) })),
      ...QUERIES.map((query) => ({ url: `${ofUser(wallet)}${query}` })),
    ],
    refusals: ({ addresses: { wallet } }) => [
      { name: 'no address', ask: { url: ofUser('nonsense') }, ...wrong, at: 'pubkey' },
      ...wrongInput(ofUser(wallet)),
    ],
  },
  {
    method: 'get',
    path: ofFarm('{pubkey}'),
    answer: page(FIELDS),
    asks: ({ addresses: { farm } }) => ['', ...QUERIES].map((query) => ({ url: `${ofFarm(farm)}${query}` })),
    refusals: ({ addresses: { farm, emptyWallet, vault } }) => [
      { name: 'no address', ask: { url: ofFarm('nonsense') }, ...wrong, at: 'pubkey' },
      ...[emptyWallet, vault].map((each) => ({
        name: `no farm at ${each}`,
        ask: { url: ofFarm(each) },
        status: 400,
      })),
      ...wrongInput(ofFarm(farm)),
    ],
  },
];
