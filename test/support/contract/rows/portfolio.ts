import type { Shape } from '../field-shapes.ts';
import type { ContractRow } from './contract-row.ts';

const SECTION: Shape = {
  fields: {
    indexed: 'boolean',
    positionsRefreshedOn: { nullable: 'date' },
    pricesRefreshedOn: { nullable: 'date' },
    'errors?': { list: { fields: { code: 'label' } } },
  },
};

const TOKEN = {
  mint: 'address',
  symbol: 'label',
  amount: 'decimal',
  'value?': 'decimal',
  'price?': 'decimal',
} as const;

const TAGS = [
  'Vanilla',
  'Lending',
  'LendingFixedRate',
  'Multiply',
  'MultiplyFixedRate',
  'Leverage',
  'LeverageFixedRate',
];

const OBLIGATION = {
  obligation: 'address',
  market: 'address',
  tag: { oneOf: TAGS },
  netValue: { nullable: 'decimal' },
  totalDepositValue: { nullable: 'decimal' },
  totalBorrowValue: { nullable: 'decimal' },
  ltv: { nullable: 'decimal' },
  maxLtv: { nullable: 'decimal' },
  liquidationLtv: { nullable: 'decimal' },
  leverage: { nullable: 'decimal' },
  deposits: {
    list: { fields: { ...TOKEN, reserve: 'address', maxLtv: 'decimal', liquidationLtv: 'decimal' } },
  },
  borrows: { list: { fields: { ...TOKEN, reserve: 'address', borrowFactor: 'decimal' } } },
} as const satisfies Record<string, Shape>;

const LEVERAGED: Shape = {
  list: { fields: { ...OBLIGATION, 'depositMint?': 'address', 'borrowMint?': 'address' } },
};

const VAULTS: Shape = {
  list: {
    fields: {
      vault: 'address',
      tokenMint: 'address',
      symbol: 'label',
      name: 'string',
      'netValue?': 'decimal',
      shares: 'decimal',
      amount: 'decimal',
    },
  },
};

const PORTFOLIO: Shape = {
  fields: {
    timestamp: 'date',
    sections: {
      fields: {
        lending: SECTION,
        multiply: SECTION,
        leverage: SECTION,
        liquidity: SECTION,
        earn: SECTION,
        privateCredit: SECTION,
        staking: SECTION,
      },
    },
    lending: { list: { fields: OBLIGATION } },
    multiply: LEVERAGED,
    leverage: LEVERAGED,
    liquidity: { list: 'anything', length: 0 },
    earn: VAULTS,
    privateCredit: VAULTS,
    staking: { list: { fields: { ...TOKEN, farm: 'address' } } },
  },
};

const REWARDS: Shape = {
  fields: {
    timestamp: 'date',
    farms: {
      list: {
        fields: {
          farm: 'address',
          userState: 'address',
          delegatee: 'address',
          'vault?': 'address',
          positionType: { oneOf: ['Lend', 'Borrow Markets', 'Multiply', 'Leverage', 'Liquidity'] },
          activeStakeAmount: 'decimal',
          'tokenMints?': { list: 'address' },
          rewards: {
            list: {
              fields: {
                mint: 'address',
                amount: 'decimal',
                index: 'integer',
                type: 'integer',
                tokenProgram: 'address',
              },
            },
          },
        },
      },
    },
  },
};

const LENDING_PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const STAGING_PROGRAM = 'SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh';
const wrong = { status: 400, code: 'BAD_REQUEST' };

const row = (suffix: string, answer: Shape, queries: readonly string[]): ContractRow => {
  const url = (wallet: string) => `/portfolio/${wallet}${suffix}`;
  return {
    method: 'get',
    path: `/portfolio/{wallet}${suffix}`,
    answer,
    asks: ({ wallets, addresses }) => [
      ...wallets.map((wallet) => ({ url: url(wallet) })),
      ...queries.map((query) => ({ url: `${url(addresses.wallet)}?${query}` })),
    ],
    refusals: ({ addresses: { wallet } }) => [
      { name: 'no address', ask: { url: url('nonsense') }, ...wrong, at: 'wallet' },
      { name: 'no program', ask: { url: `${url(wallet)}?programId=nonsense` }, ...wrong, at: 'programId' },
      { name: 'another program', ask: { url: `${url(wallet)}?programId=${STAGING_PROGRAM}` }, ...wrong },
    ],
  };
};

const rewards = row('/rewards', REWARDS, [
  `programId=${LENDING_PROGRAM}`,
  'rewardTypes=0',
  'rewardTypes=1,0',
  'rewardTypes=0&rewardTypes=1',
]);

export const PORTFOLIO_ROWS: readonly ContractRow[] = [
  row('', PORTFOLIO, [`programId=${LENDING_PROGRAM}`]),
  {
    ...rewards,
    refusals: (subjects) => [
      ...rewards.refusals(subjects),
      ...['2', '', '0,2', '0,', '01', 'all', '0;1'].map((types) => ({
        name: `types ${types}`,
        ask: { url: `/portfolio/${subjects.addresses.wallet}/rewards?rewardTypes=${types}` },
        ...wrong,
        at: 'rewardTypes',
      })),
    ],
  },
];
