import type { Shape } from '../field-shapes.ts';
import type { Ask, ContractRow, Refusal, Subjects } from './contract-row.ts';
import { VAULT_POINT } from './history.ts';

const HISTORIES = '/kvaults/vaults/metrics/history';
const transactionsOf = (pubkey: string) => `/kvaults/vaults/${pubkey}/transactions`;

const PRICED = ['solPrice', 'sharePrice', 'tokenPrice', 'tokenAmount', 'numberOfShares'];

const TRANSACTIONS: Shape = {
  fields: {
    result: {
      list: {
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
      },
    },
    'paginationToken?': 'label',
  },
};

const historiesOf = (vaults: readonly string[], rest = '') => ({
  url: `${HISTORIES}?vaults=${vaults.join(',')}${rest}`,
});

const refused = (name: string, ask: Ask, at: string): Refusal => ({
  name,
  ask,
  status: 400,
  code: 'BAD_REQUEST',
  at,
});

const addressesOf = ({ vaults }: Subjects) => vaults.map(({ address }) => address);

export const VAULT_LIST_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: HISTORIES,
    answer: { list: { fields: { kvault: 'address', history: { list: VAULT_POINT } } } },
    asks: (subjects) => [
      historiesOf(addressesOf(subjects).slice(0, 3), '&start=2026-05-30&end=2026-05-31'),
      { url: `${HISTORIES}?vaults=${subjects.addresses.vault}&vaults[]=${subjects.addresses.vault}` },
    ],
    refusals: (subjects) => {
      const { vault, emptyWallet, market } = subjects.addresses;
      return [
        refused('none', { url: HISTORIES }, 'vaults'),
        refused('no address', historiesOf([vault, 'nonsense']), 'vaults'),
        refused('26 vaults', historiesOf(Array.from({ length: 26 }, () => vault)), 'vaults'),
        refused('reversed', historiesOf([vault], '&start=2026-02-01&end=2026-01-01'), 'start'),
        { name: 'nothing there', ask: historiesOf([vault, emptyWallet]), status: 404 },
        { name: 'a market', ask: historiesOf([market]), status: 404 },
      ];
    },
  },
  {
    method: 'post',
    path: transactionsOf('{pubkey}'),
    answer: TRANSACTIONS,
    asks: ({ addresses, vaults }) => [
      // With many transactions, none and one.
      ...vaults.slice(9, 12).map(({ address }) => ({ url: transactionsOf(address), body: {} })),
      ...[
        { instruction: 'invest' },
        { direction: 'asc', instruction: 'withdraw' },
        { start: '2026-05-30', end: 1_780_185_600_000 },
      ].map((body) => ({ url: transactionsOf(addresses.vault), body })),
    ],
    refusals: ({ addresses: { vault, emptyWallet } }) => {
      const wrong = (body: Readonly<Record<string, unknown>>, at: string) =>
        refused(JSON.stringify(body), { url: transactionsOf(vault), body }, at);
      return [
        refused('no address', { url: transactionsOf('nonsense'), body: {} }, 'pubkey'),
        { name: 'nothing there', ask: { url: transactionsOf(emptyWallet), body: {} }, status: 404 },
        wrong({ instruction: 'borrow' }, 'instruction'),
        wrong({ direction: 'up' }, 'direction'),
        wrong({ start: '2026-02-01', end: '2026-01-01' }, 'start'),
        wrong({ start: true }, 'start'),
        wrong({ paginationToken: 5 }, 'paginationToken'),
        wrong({ paginationToken: 'nonsense' }, 'paginationToken'),
      ];
    },
  },
];
