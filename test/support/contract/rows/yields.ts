import type { Shape } from '../field-shapes.ts';
import type { ContractRow, Refusal } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';

const STAKING_YIELD: Shape = { fields: { apy: 'decimal', tokenMint: 'address' } };
const YIELD_POINT: Shape = { fields: { createdOn: 'date', apr: 'decimal', apy: 'decimal' } };
const BORROW_AND_STAKING: Shape = {
  fields: { createdOn: 'date', borrowInterestApy: 'decimal', stakingApy: 'decimal' },
};

const badRanges = (url: string): Refusal[] =>
  [
    ['start=yesterday', 'start'],
    ['end=never', 'end'],
    ['start=2026-05-02&end=2026-05-01', 'start'],
  ].map(([query = '', at = '']) => ({
    name: query,
    ask: { url: `${url}?${query}` },
    status: 400,
    code: 'BAD_REQUEST',
    at,
  }));

const without = { refusals: () => [] } as const;

const histories = ['history', 'history/median'].map((end): ContractRow => {
  const path = `/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/${end}`;
  const urlOf = (market: string, reserve: string) =>
    path.replace('{marketPubkey}', market).replace('{reservePubkey}', reserve);
  return {
    method: 'get',
    path,
    answer: { list: BORROW_AND_STAKING },
    asks: ({ reserves, addresses }) => [
      ...reserves.slice(0, 8).map(({ address, market }) => ({ url: urlOf(market, address) })),
      { url: `${urlOf(addresses.market, addresses.stakedReserve)}?start=2026-05-30&end=2026-05-31` },
      // A wallet is not a reserve.
      { url: urlOf(addresses.market, addresses.wallet) },
    ],
    refusals: ({ addresses }) => {
      const url = urlOf(addresses.market, addresses.stakedReserve);
      return [...badRanges(url), ...wrongEnv(url)];
    },
  };
});

export const YIELD_ROWS: readonly ContractRow[] = [
  ...['', '/median', '/mean'].map((end): ContractRow => {
    const path = `/v2/staking-yields${end}`;
    return { method: 'get', path, answer: { list: STAKING_YIELD }, asks: () => [{ url: path }], ...without };
  }),
  {
    method: 'get',
    path: '/yields/{source}/history',
    answer: { list: YIELD_POINT },
    asks: ({ mints, addresses, vaults }) => [
      ...mints.map((mint) => ({ url: `/yields/${mint}/history` })),
      { url: `/yields/${addresses.stakedMint}/history?start=2026-05-30&end=2026-05-31` },
      { url: `/yields/${addresses.wallet}-${addresses.stakedMint}/history` },
      ...vaults.slice(0, 2).map(({ address }) => ({ url: `/yields/${address}/history` })),
      { url: '/yields/nothing/history' },
    ],
    refusals: ({ addresses }) => {
      const url = `/yields/${addresses.stakedMint}/history`;
      return [
        ...badRanges(url),
        {
          name: 'more than 366 days',
          ask: { url: `${url}?start=2025-01-01&end=2026-01-03` },
          status: 400,
          code: 'BAD_REQUEST',
          at: 'start',
        },
      ];
    },
  },
  ...histories,
  {
    method: 'get',
    path: '/slots/duration',
    answer: { fields: { recentSlotDurationInMs: 'number' } },
    asks: () => [{ url: '/slots/duration' }],
    ...without,
  },
  {
    method: 'get',
    path: '/epochs',
    answer: {
      list: {
        fields: {
          epoch: 'integer',
          firstSlot: 'integer',
          lastSlot: 'integer',
          startBlockTime: 'date',
          endBlockTime: 'date',
        },
      },
    },
    asks: () => [{ url: '/epochs' }],
    ...without,
  },
];
