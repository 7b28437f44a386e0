import { FIGURES } from './obligations.ts';
import { type NullRule, type ParityRow, roundedPositions } from './parity-row.ts';

type Text = string | null;

interface Position {
  readonly amount: {
    readonly baseUnits: string;
    readonly usd: Text;
    readonly token: { readonly mint: string };
  };
}

interface Point {
  readonly timestamp: string;
  readonly sampledAt: string;
  readonly deposits: readonly Position[];
  readonly borrows: readonly Position[];
  readonly stats: Readonly<Record<string, string | number>>;
  readonly netValueSol: Text;
  readonly collateralValueSol: Text;
  readonly debtValueSol: Text;
  readonly solPriceUsd: Text;
  readonly solPriceAt: Text;
}

const POSITION = '{ amount { baseUnits usd token { mint } } }';
const STATS = [...FIGURES.map(([rest, graph]) => `${rest}: ${graph}`), 'potentialElevationGroupUpdate'].join(
  ' ',
);

const restPosition = ({ amount }: Position, rule: NullRule) => ({
  amount: amount.baseUnits,
  mintAddress: amount.token.mint,
  marketValueRefreshed: rule.decimal(amount.usd),
});

const restPoint = (point: Point, tag: number, rule: NullRule) => ({
  timestamp: point.timestamp,
  refreshedStats: point.stats,
  deposits: point.deposits.map((each) => restPosition(each, rule)),
  borrows: point.borrows.map((each) => restPosition(each, rule)),
  tag,
  obligationSolValues: {
    netValueSol: point.netValueSol,
    collateralValueSol: point.collateralValueSol,
    debtValueSol: point.debtValueSol,
    solPrice: point.solPriceUsd,
    timestampSolPrice: point.solPriceAt,
    timestampObligation: point.sampledAt,
  },
});

interface Pnl {
  readonly usd: Text;
  readonly sol: Text;
  readonly invested: { readonly usd: Text; readonly sol: Text };
}

interface Reward {
  readonly campaign: {
    readonly depositReserve: { readonly address: string } | null;
    readonly borrowReserve: { readonly address: string } | null;
    readonly market: { readonly address: string };
    readonly calculatedAt: string;
  };
  readonly token: { readonly mint: string };
  readonly earned: { readonly tokens: Text };
  readonly tokensPerSecond: Text;
  readonly stakingBoost: string;
  readonly apy: Text;
  readonly activePositionsUsd: Text;
}

const restReward = (reward: Reward, rule: NullRule) => ({
  depositReserve: reward.campaign.depositReserve?.address ?? null,
  borrowReserve: reward.campaign.borrowReserve?.address ?? null,
  market: reward.campaign.market.address,
  rewardMint: reward.token.mint,
  lastCalculated: reward.campaign.calculatedAt,
  tokensEarned: rule.decimal(reward.earned.tokens),
  tokensPerSecond: rule.decimal(reward.tokensPerSecond),
  stakingBoost: reward.stakingBoost,
  effectiveStakingBoost: reward.stakingBoost,
  baseApy: rule.decimal(reward.apy),
  boostedApy: rule.decimal(reward.apy),
  maxApy: rule.decimal(reward.apy),
  usdAmount: rule.decimal(reward.activePositionsUsd),
  usdAmountBoosted: rule.decimal(reward.activePositionsUsd),
});

const RANGE = { start: '2026-05-30T00:00:00.000Z', end: '2026-05-31T00:00:00.000Z' };

export const OBLIGATION_HISTORY_PARITY: readonly ParityRow[] = [
  {
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
    rounded: (body) => {
      const { history, ...rest } = body as { history: Parameters<typeof roundedPositions>[0][] };
      return { ...rest, history: history.map(roundedPositions) };
    },
    cases: ({ obligations }) =>
      obligations.slice(0, 12).flatMap(({ address, market }) => {
        const url = `/v2/svc-market/${market}/obligations/${address}/metrics/history`;
        return [
          { url, variables: { address } },
          {
            url: `${url}?useStakeRateForObligation=true&start=${RANGE.start}&end=${RANGE.end}`,
            variables: { address, range: RANGE, useStakeRate: true },
          },
        ];
      }),
    async twin(graph, variables, rule) {
      const { obligation } = await graph<{
        obligation: { address: string; tagNumber: number; metricsHistory: { points: readonly Point[] } };
      }>(
        `query ($address: Address!, $range: TimeRange, $useStakeRate: Boolean) {
          obligation(address: $address) { address tagNumber
            metricsHistory(range: $range, useStakeRate: $useStakeRate, maxPoints: 1000) { points {
              timestamp sampledAt deposits ${POSITION} borrows ${POSITION} stats { ${STATS} }
              netValueSol collateralValueSol debtValueSol solPriceUsd solPriceAt
            } } }
        }`,
        variables,
      );
      const { address, tagNumber, metricsHistory } = obligation;
      const priced = rule.priced(metricsHistory.points, ({ netValueSol }) => [netValueSol]);
      return { obligation: address, history: priced.map((point) => restPoint(point, tagNumber, rule)) };
    },
  },
  {
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
    cases: ({ obligations }) =>
      obligations.slice(0, 12).flatMap(({ address, market }) => {
        const url = `/v2/svc-market/${market}/obligations/${address}/pnl`;
        return [
          { url, variables: { address } },
          {
            url: `${url}?positionMode=obligation_all_time&useStakeRate=true`,
            variables: { address, mode: 'OBLIGATION_ALL_TIME', useStakeRate: true },
          },
        ];
      }),
    async twin(graph, variables, rule) {
      const { obligation } = await graph<{ obligation: { pnl: Pnl } }>(
        `query ($address: Address!, $mode: PnlMode, $useStakeRate: Boolean) {
          obligation(address: $address) { pnl(mode: $mode, useStakeRate: $useStakeRate) {
            usd sol invested { usd sol }
          } }
        }`,
        variables,
      );
      const { usd, sol, invested } = obligation.pnl;
      return {
        usd: rule.decimal(usd),
        sol: rule.decimal(sol),
        invested: { usd: rule.decimal(invested.usd), sol: rule.decimal(invested.sol) },
      };
    },
  },
  {
    path: '/klend/users/{pubkey}/rewards',
    cases: ({ wallets }) =>
      wallets.map((address) => ({ url: `/klend/users/${address}/rewards`, variables: { address } })),
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{
        wallet: { lendingRewards: { averageApy: Text; rewards: readonly Reward[] } };
      }>(
        `query ($address: Address!) { wallet(address: $address) { lendingRewards { averageApy rewards {
          campaign { depositReserve { address } borrowReserve { address } market { address } calculatedAt }
          token { mint } earned { tokens } tokensPerSecond stakingBoost apy activePositionsUsd
        } } } }`,
        variables,
      );
      const { averageApy, rewards } = wallet.lendingRewards;
      const average = rewards.length === 0 ? '0' : rule.decimal(averageApy);
      return {
        avgBaseApy: average,
        avgBoostedApy: average,
        avgMaxApy: average,
        rewards: rewards.map((reward) => restReward(reward, rule)),
      };
    },
  },
];
