import type { Shape } from '../field-shapes.ts';
import type { ContractRow, Refusal } from './contract-row.ts';
import { wrongEnv } from './earn-users.ts';
import { STATS } from './obligations.ts';

const POSITION: Shape = {
  fields: { amount: 'decimal', mintAddress: 'address', marketValueRefreshed: 'decimal' },
};

const HISTORY: Shape = {
  fields: {
    obligation: 'address',
    history: {
      list: {
        fields: {
          timestamp: 'date',
          refreshedStats: STATS,
          deposits: { list: POSITION },
          borrows: { list: POSITION },
          tag: 'integer',
          obligationSolValues: {
            fields: {
              netValueSol: 'decimal',
              collateralValueSol: 'decimal',
              debtValueSol: 'decimal',
              solPrice: 'decimal',
              timestampSolPrice: 'date',
              timestampObligation: 'date',
            },
          },
        },
      },
    },
  },
};

const PNL: Shape = {
  fields: { usd: 'decimal', sol: 'decimal', invested: { fields: { usd: 'decimal', sol: 'decimal' } } },
};

const REWARDS: Shape = {
  fields: {
    avgBaseApy: 'decimal',
    avgBoostedApy: 'decimal',
    avgMaxApy: 'decimal',
    rewards: {
      list: {
        fields: {
          depositReserve: { nullable: 'address' },
          borrowReserve: { nullable: 'address' },
          market: 'address',
          rewardMint: 'address',
          lastCalculated: 'date',
          tokensEarned: 'decimal',
          tokensPerSecond: 'decimal',
          stakingBoost: 'decimal',
          effectiveStakingBoost: 'decimal',
          baseApy: 'decimal',
          boostedApy: 'decimal',
          maxApy: 'decimal',
          usdAmount: 'decimal',
          usdAmountBoosted: 'decimal',
        },
      },
    },
  },
};

const history = (market: string, obligation: string) =>
  `/v2/svc-market/${market}/obligations/${obligation}/metrics/history`;
const pnl = (market: string, obligation: string) => `/v2/svc-market/${market}/obligations/${obligation}/pnl`;
const rewards = (wallet: string) => `/klend/users/${wallet}/rewards`;

const wrong = { status: 400, code: 'BAD_REQUEST' };
/** The history of an obligation documents only 500. */
const failed = { status: 500, code: 'BAD_REQUEST' };

const wrongInput = (url: string): Refusal[] =>
  [
    ['no date', '?start=yesterday'],
    ['reversed', '?start=2026-02-01&end=2026-01-01'],
    ['no truth', '?useStakeRateForObligation=yes'],
    ['no env', '?env=other'],
  ].map(([name = '', query]) => ({ name, ask: { url: `${url}${query}` }, ...failed }));

export const OBLIGATION_HISTORY_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: history('{marketPubkey}', '{obligationPubkey}'),
    answer: HISTORY,
    asks: ({ obligations, addresses: { market, obligation } }) => [
      ...obligations.map((each) => ({ url: history(each.market, each.address) })),
      ...[
        '?useStakeRateForObligation=true',
        '?useStakeRateForObligation=false&env=localnet',
        '?start=2026-05-30T00:00Z&end=2026-05-31',
        '?start=1780099200000',
        '?start=2020-01-01&end=2021-01-01',
      ].map((query) => ({ url: `${history(market, obligation)}${query}` })),
    ],
    refusals: ({ markets, addresses: { market, obligation, emptyWallet, vault } }) => [
      { name: 'no market', ask: { url: history('nonsense', obligation) }, ...failed },
      { name: 'no obligation', ask: { url: history(market, 'nonsense') }, ...failed },
      {
        name: 'a market that is none',
        ask: { url: history(emptyWallet, obligation) },
        status: 500,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...[emptyWallet, vault].map((each) => ({
        name: `no obligation at ${each}`,
        ask: { url: history(market, each) },
        status: 500,
        code: 'KLEND_OBLIGATION_NOT_FOUND',
      })),
      ...markets
        .filter((each) => each !== market)
        .map((each) => ({ name: 'another market', ask: { url: history(each, obligation) }, ...failed })),
      ...wrongInput(history(market, obligation)),
    ],
  },
  {
    method: 'get',
    path: pnl('{marketPubkey}', '{obligationPubkey}'),
    answer: PNL,
    asks: ({ obligations, addresses: { market, obligation } }) => [
      ...obligations.map((each) => ({ url: pnl(each.market, each.address) })),
      ...[
        '?positionMode=obligation_all_time',
        '?positionMode=current_obligation&useStakeRate=true',
        '?programId=KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD&env=localnet',
      ].map((query) => ({ url: `${pnl(market, obligation)}${query}` })),
    ],
    refusals: ({ addresses: { market, obligation, emptyWallet, vault } }) => [
      { name: 'no market', ask: { url: pnl('nonsense', obligation) }, ...wrong, at: 'marketPubkey' },
      { name: 'no obligation', ask: { url: pnl(market, 'nonsense') }, ...wrong, at: 'obligationPubkey' },
      {
        name: 'no mode',
        ask: { url: `${pnl(market, obligation)}?positionMode=all` },
        ...wrong,
        at: 'positionMode',
      },
      {
        name: 'another program',
        ask: { url: `${pnl(market, obligation)}?programId=${vault}` },
        ...wrong,
      },
      { name: 'nothing there', ask: { url: pnl(market, emptyWallet) }, status: 400 },
      ...wrongEnv(pnl(market, obligation)),
    ],
  },
  {
    method: 'get',
    path: rewards('{pubkey}'),
    answer: REWARDS,
    asks: ({ wallets }) => [
      ...wallets.map((wallet) => ({ url: rewards(wallet) })),
      ...wallets
        .slice(0, 1)
        .flatMap((wallet) => [
          { url: `${rewards(wallet)}?source=Season1` },
          { url: `${rewards(wallet)}?source=nobody` },
        ]),
    ],
    refusals: ({ addresses: { wallet } }) => [
      { name: 'no address', ask: { url: rewards('nonsense') }, ...wrong, at: 'pubkey' },
      {
        name: 'source twice',
        ask: { url: `${rewards(wallet)}?source=a&source=b` },
        ...wrong,
        at: 'source',
      },
    ],
  },
];
