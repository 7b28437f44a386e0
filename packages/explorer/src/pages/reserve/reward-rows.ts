import type { ReserveUse } from './reserve-documents.ts';

type Farm = NonNullable<ReserveUse['collateralFarm']>;

export interface RewardRow {
  readonly key: string;
  /** Ticker of the reward. Null when its mint cannot be read. */
  readonly symbol: string | null;
  /** Condition for the reward. */
  readonly earnedBy: string;
  readonly source: 'Farm' | 'Campaign';
  /** Yield per year: compounded daily for a campaign, not compounded for a farm. Null when a value is unknown. */
  readonly rate: string | null;
  readonly rateKind: 'APY' | 'APR';
  /** Whole tokens per second, paid to everyone together. */
  readonly perSecond: string;
  /** Null when the source does not say, or no longer pays. */
  readonly endsAt: string | null;
}

/** Rewards of a reserve from both sources: farms that hold funds, and campaigns of the catalogue. */
export const rewardRows = (use: Pick<ReserveUse, 'rewards' | 'collateralFarm' | 'debtFarm'>): RewardRow[] => [
  ...farmRows(use.collateralFarm, 'Supplying'),
  ...farmRows(use.debtFarm, 'Borrowing'),
  ...use.rewards.map((reward, index): RewardRow => {
    const [deposit, borrow] = [reward.depositReserve, reward.borrowReserve].map((side) => side?.token.symbol);
    return {
      key: `campaign ${index}`,
      symbol: reward.token?.symbol ?? null,
      earnedBy: earnedBy(deposit, borrow),
      source: 'Campaign',
      rate: reward.apy,
      rateKind: 'APY',
      perSecond: reward.tokensPerSecond,
      endsAt: null,
    };
  }),
];

function earnedBy(deposit: string | undefined, borrow: string | undefined): string {
  if (borrow === undefined) return `Supplying ${deposit ?? 'an unknown token'}`;
  return deposit === undefined ? `Borrowing ${borrow}` : `Supplying ${deposit} and borrowing ${borrow}`;
}

const farmRows = (farm: Farm | null, side: string): RewardRow[] =>
  (farm?.rewards ?? []).map((reward, index) => ({
    key: `${side} ${index}`,
    symbol: reward.token?.symbol ?? null,
    earnedBy: side,
    source: 'Farm',
    rate: reward.apr,
    rateKind: 'APR',
    perSecond: reward.perSecond,
    endsAt: reward.endsAt,
  }));
