import type { Shape } from '../field-shapes.ts';
import type { Ask, ContractRow, Refusal, Subjects } from './contract-row.ts';

const decimals = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'decimal' as const]));

const TRANSACTION: Shape = {
  fields: {
    createdOn: 'date',
    instruction: { oneOf: ['deposit', 'withdraw'] },
    tokenMint: 'address',
    ...decimals('tokenAmount', 'tokenPrice', 'solPrice', 'sharePrice', 'numberOfShares', 'usdValue'),
    transaction: 'label',
    kvault: 'address',
    latestPosition: 'boolean',
  },
};

const USER_POINT: Shape = {
  fields: {
    createdOn: 'date',
    ...decimals('usdAmount', 'solAmount', 'weightedApy'),
    ...decimals('cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
  },
};

const POSITION_POINT: Shape = {
  fields: {
    createdOn: 'date',
    ...decimals('sharesAmount', 'usdAmount', 'solAmount', 'apy'),
    ...decimals('apyTheoretical', 'apyActual', 'apyFarmRewards', 'apyReservesIncentives'),
    apyIncentives: { nullable: 'decimal' },
    ...decimals('cumulativeInterestEarned', 'cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecond', 'interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
  },
};

const THREE: Shape = { fields: { usd: 'decimal', sol: 'decimal', token: 'decimal' } };
const TOTALS = { totalPnl: THREE, totalCostBasis: THREE } as const;

const PNL_ROW: Shape = {
  fields: {
    timestamp: 'date',
    type: { oneOf: ['buy', 'sell', 'mark-to-market'] },
    position: 'decimal',
    quantity: 'decimal',
    tokenPrice: THREE,
    sharePrice: THREE,
    costBasis: THREE,
    realizedPnl: THREE,
    pnl: THREE,
    positionValue: THREE,
    investment: THREE,
  },
};

const VOLUME_DAY: Shape = { fields: { timestamp: 'date', volumeUsd: 'decimal' } };

const RANGES = [
  '',
  '?start=2026-05-30T00:00:00.000Z',
  '?start=2026-05-30T00:00Z&end=2026-05-31',
  '?start=1780099200000',
  '?start=2026-01-01&end=2026-01-01',
];
const inRanges = (url: string): Ask[] => RANGES.map((query) => ({ url: `${url}${query}` }));

const badRequest = (name: string, url: string, at: string): Refusal => ({
  name,
  ask: { url },
  status: 400,
  code: 'BAD_REQUEST',
  at,
});

const wrongRange = (url: string): Refusal[] => [
  badRequest('no date', `${url}?start=yesterday`, 'start'),
  badRequest('a day that is not', `${url}?end=2026-02-30`, 'end'),
  badRequest('reversed', `${url}?start=2026-02-01&end=2026-01-01`, 'start'),
  badRequest('in the future', `${url}?start=2100-01-01`, 'start'),
];

/** A few wallets only: reading their transactions is slow. */
const some = ({ wallets }: Subjects) => wallets.slice(0, 5);

const user = (wallet: string, what: string) => `/kvaults/users/${wallet}/${what}`;
const inVault = (wallet: string, vault: string, what: string) =>
  `/kvaults/users/${wallet}/vaults/${vault}/${what}`;
const volume = (vault: string) => `/kvaults/vaults/${vault}/allocation-volume/history`;

function inVaultRow(what: string, answer: Shape, ranged: boolean): ContractRow {
  const asksOf = (url: string) => (ranged ? inRanges(url) : [{ url }]);
  return {
    method: 'get',
    path: inVault('{userPubkey}', '{vaultPubkey}', what),
    answer,
    asks: ({ addresses: { wallet, vault, emptyWallet }, vaults }) => [
      ...asksOf(inVault(wallet, vault, what)),
      { url: inVault(emptyWallet, vault, what) },
      ...vaults.slice(0, 3).map(({ address }) => ({ url: inVault(wallet, address, what) })),
    ],
    refusals: ({ addresses: { wallet, vault, emptyWallet } }) => [
      badRequest('no user', inVault('nobody', vault, what), 'userPubkey'),
      badRequest('no vault', inVault(wallet, 'none', what), 'vaultPubkey'),
      { name: 'an unknown vault', ask: { url: inVault(wallet, emptyWallet, what) }, status: 400 },
      ...(ranged ? wrongRange(inVault(wallet, vault, what)) : []),
    ],
  };
}

export const EARN_POSITION_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: user('{pubkey}', 'transactions'),
    answer: { list: TRANSACTION },
    asks: (subjects) => some(subjects).map((wallet) => ({ url: user(wallet, 'transactions') })),
    refusals: () => [badRequest('no address', user('nobody', 'transactions'), 'pubkey')],
  },
  {
    method: 'get',
    path: user('{pubkey}', 'metrics/history'),
    answer: { list: USER_POINT },
    asks: (subjects) => [
      ...inRanges(user(subjects.addresses.wallet, 'metrics/history')),
      ...some(subjects).map((wallet) => ({ url: user(wallet, 'metrics/history') })),
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', user('nobody', 'metrics/history'), 'pubkey'),
      ...wrongRange(user(wallet, 'metrics/history')),
    ],
  },
  inVaultRow('metrics/history', { list: POSITION_POINT }, true),
  inVaultRow('pnl', { fields: TOTALS }, false),
  inVaultRow('pnl/history', { fields: { history: { list: PNL_ROW }, ...TOTALS } }, true),
  {
    method: 'get',
    path: volume('{pubkey}'),
    answer: { list: VOLUME_DAY },
    asks: ({ addresses, vaults }) => [
      ...inRanges(volume(addresses.vault)),
      ...vaults.slice(9, 12).map(({ address }) => ({ url: volume(address) })),
    ],
    refusals: ({ addresses: { vault, emptyWallet, market } }) => [
      badRequest('no address', volume('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: volume(emptyWallet) }, status: 404 },
      { name: 'a market', ask: { url: volume(market) }, status: 404 },
      badRequest('more than a year', `${volume(vault)}?start=2025-01-01&end=2026-01-02`, 'start'),
      badRequest('more than a year up to now', `${volume(vault)}?start=0`, 'start'),
      ...wrongRange(volume(vault)),
    ],
  },
];
