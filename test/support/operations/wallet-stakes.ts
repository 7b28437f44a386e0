import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import { pascal, present } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { AMOUNT_FIELDS, type GraphAmount, wrongPortfolio } from './portfolio.ts';
import { badRequest } from './refusals.ts';

const STAKES: Shape = {
  fields: {
    timestamp: 'date',
    farms: {
      list: {
        fields: {
          farm: 'address',
          userState: 'address',
          delegatee: 'address',
          'strategy?': 'address',
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
    'partialErrors?': {
      fields: {
        positionTokenMints: { list: 'address' },
        seasonFarms: { list: 'address', length: 0 },
        rewardMetadata: { list: 'address' },
      },
    },
  },
};

interface GraphStake {
  readonly address: string;
  readonly farm: { readonly address: string };
  readonly vault: { readonly address: string } | null;
  readonly delegatee: string;
  readonly strategyAddress: string | null;
  readonly position: string;
  readonly positionMints: readonly string[];
  readonly activeStake: string;
  readonly rewards: readonly {
    readonly amount: GraphAmount;
    readonly index: number;
    readonly type: string;
    readonly tokenProgram: string;
  }[];
}

interface GraphAnswer {
  readonly chain: { readonly blockTime: string };
  readonly wallet: { readonly stakes: readonly GraphStake[] };
}

const QUERY = `query ($wallet: Address!) { chain { blockTime } wallet(address: $wallet) { stakes {
  address farm { address } delegatee strategyAddress vault { address } position positionMints activeStake
  rewards { ${AMOUNT_FIELDS} index type tokenProgram }
} } }`;

const POSITION_TYPES: Readonly<Record<string, string>> = { LEND: 'Lend', BORROW_MARKETS: 'Borrow Markets' };

const rewardsOf = ({ chain, wallet }: GraphAnswer, types: readonly string[]) => ({
  timestamp: chain.blockTime,
  farms: wallet.stakes.map((stake) => ({
    farm: stake.farm.address,
    userState: stake.address,
    delegatee: stake.delegatee,
    ...present({ strategy: stake.strategyAddress, vault: stake.vault?.address }),
    positionType: POSITION_TYPES[stake.position] ?? pascal(stake.position),
    activeStakeAmount: stake.activeStake,
    ...(stake.positionMints.length === 0 ? {} : { tokenMints: stake.positionMints }),
    rewards: stake.rewards
      .filter(({ type }) => types.includes(type))
      .map(({ amount, index, type, tokenProgram }) => ({
        mint: amount.token.mint,
        amount: amount.amount,
        index,
        type: type === 'CONSTANT' ? 1 : 0,
        tokenProgram,
      })),
  })),
});

const ALL = ['PROPORTIONAL', 'CONSTANT'];
/** Queries, and the types that each asks for. */
const OF_EVERY_WALLET: readonly (readonly [query: string, types: readonly string[]])[] = [
  ['', ALL],
  ['?rewardTypes=0', ['PROPORTIONAL']],
  ['?rewardTypes=1', ['CONSTANT']],
];
const OF_BOTH_TYPES = [
  '?rewardTypes=1,0',
  '?rewardTypes=0&rewardTypes=1',
  `?programId=${MAINNET_PROGRAMS.klend}`,
];
const of = (wallet: string) => `/portfolio/${wallet}/rewards`;

export const WALLET_STAKES_ROW: OperationRow = {
  method: 'get',
  path: of('{wallet}'),
  answer: STAKES,
  requests: ({ wallets, addresses: { wallet: own } }) => [
    ...wallets.flatMap((wallet) =>
      OF_EVERY_WALLET.map(([query, types]) => ({
        url: `${of(wallet)}${query}`,
        variables: { wallet, types },
      })),
    ),
    ...OF_BOTH_TYPES.map((query) => ({
      url: `${of(own)}${query}`,
      variables: { wallet: own, types: ALL },
    })),
  ],
  refusals: ({ addresses: { wallet } }) => [
    ...wrongPortfolio(of, wallet),
    ...['2', '', '0,2', '0,', '01', 'all', '0;1'].map((types) =>
      badRequest(`types ${types}`, `${of(wallet)}?rewardTypes=${types}`, 'rewardTypes'),
    ),
  ],
  twin: async (graph, { wallet, types }) =>
    rewardsOf(await graph<GraphAnswer>(QUERY, { wallet }), types as readonly string[]),
};
