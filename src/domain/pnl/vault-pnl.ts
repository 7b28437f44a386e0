import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import type { VaultEvent } from '@sluice/protocol/transactions/events';
import { toTokens } from '../arithmetic.ts';
import { buy, type CostBasis, NO_POSITION, sell } from './cost-basis.ts';
import {
  type Denominated,
  minus,
  NOTHING,
  plus,
  roundedTogether,
  type TokenPrices,
  times,
  valueAt,
} from './denominated.ts';
import type { SharePrice } from './share-price.ts';

/** Prices of a vault's shares and token over time. */
export interface VaultMarket extends TokenPrices {
  readonly tokensPerShare: SharePrice;
  /** Decimals of the token and of the share mint. */
  readonly decimals: number;
}

export type PnlRowType = 'buy' | 'sell' | 'mark-to-market';

/** A position after an event or at a moment. Whole units; `pnl` is exactly positionValue - costBasis + realizedPnl. */
export interface PnlRow {
  /** Unix seconds. */
  readonly time: number;
  readonly type: PnlRowType;
  /** Shares held. */
  readonly position: Rational;
  /** Shares bought or sold; for a mark, the position. */
  readonly quantity: Rational;
  /** USD price of each denomination; null when unknown. */
  readonly tokenPrice: {
    readonly usd: Rational;
    readonly sol: Rational | null;
    readonly token: Rational | null;
  };
  readonly sharePrice: Denominated;
  readonly costBasis: Denominated;
  readonly realizedPnl: Denominated;
  readonly pnl: Denominated;
  /** Exactly `position` * `sharePrice`. */
  readonly positionValue: Denominated;
  /** Total paid in minus total paid out. */
  readonly investment: Denominated;
}

export interface PnlHistory {
  /** Ascending; the last row marks the position at the end. Empty when there was never a buy or sell. */
  readonly rows: readonly PnlRow[];
  readonly totalPnl: Denominated;
  readonly totalCostBasis: Denominated;
  /** False when shares were sold whose acquisition is not among the events. */
  readonly complete: boolean;
  /** False when a price at a buy or sell was unknown; USD or SOL are null from then on. */
  readonly priced: boolean;
}

const DAY = 86_400;

/** `daily` adds a mark-to-market row at each UTC midnight; `last` only the one at the end. */
export type Marks = 'daily' | 'last';

/**
 * The history of one wallet's shares in one vault up to `until` (unix seconds): every buy and sell, a mark at each UTC
 * midnight in between, and a mark at the end. `events` are those of this wallet and vault, in order. A transfer counts as
 * a buy or sell at the share price of its moment; stakes are ignored. Yields before each row.
 */
export function* pnlHistory(
  events: readonly VaultEvent[],
  market: VaultMarket,
  until: number,
  marks: Marks = 'daily',
): Generator<void, PnlHistory> {
  const rows: PnlRow[] = [];
  let position = NO_POSITION;
  let priced = true;
  let nextMidnight = Number.POSITIVE_INFINITY;
  const markUntil = function* (time: number) {
    for (; nextMidnight < time; nextMidnight += DAY) {
      yield;
      rows.push(markedAt(position, market, nextMidnight));
    }
  };
  for (const event of events) {
    if (event.time > until) break;
    const trade = tradeOf(event, market);
    if (trade === null) continue;
    // A midnight in the same second as an event is marked before the event.
    yield* markUntil(event.time + 1);
    yield;
    priced &&= trade.value.usd !== null && trade.value.sol !== null;
    position =
      trade.type === 'buy'
        ? buy(position, trade.shares, trade.value)
        : sell(position, trade.shares, trade.value);
    rows.push(rowOf(position, market, event.time, trade));
    if (marks === 'daily' && nextMidnight === Number.POSITIVE_INFINITY) {
      nextMidnight = (Math.floor(event.time / DAY) + 1) * DAY;
    }
  }
  if (rows.length === 0) return { rows, totalPnl: NOTHING, totalCostBasis: NOTHING, complete: true, priced };
  yield* markUntil(until);
  const last = markedAt(position, market, until);
  return {
    rows: [...rows, last],
    totalPnl: last.pnl,
    totalCostBasis: last.costBasis,
    complete: position.complete,
    priced,
  };
}

export interface Trade {
  readonly type: 'buy' | 'sell';
  readonly shares: bigint;
  readonly value: Denominated;
  readonly tokensPerShare: Rational;
}

/** The buy or sell of an event; null for other events. */
export function tradeOf(event: VaultEvent, market: VaultMarket): Trade | null {
  const type = TRADES[event.kind];
  if (type === undefined) return null;
  const { shares, tokens, time } = event;
  const paidPerShare = tokens !== null && shares > 0n ? Rational.of(tokens, shares).reduced() : null;
  const tokensPerShare = paidPerShare ?? market.tokensPerShare(time);
  const moved = tokens === null ? tokensPerShare.mul(Rational.of(shares)) : Rational.of(tokens);
  return { type, shares, value: valueAt(toTokens(moved, market.decimals), market, time), tokensPerShare };
}

const TRADES: Readonly<Partial<Record<VaultEvent['kind'], 'buy' | 'sell'>>> = {
  deposit: 'buy',
  transferIn: 'buy',
  withdraw: 'sell',
  transferOut: 'sell',
};

function markedAt(position: CostBasis, market: VaultMarket, time: number): PnlRow {
  const { shares } = position;
  return rowOf(position, market, time, {
    type: 'mark-to-market',
    shares,
    tokensPerShare: market.tokensPerShare(time),
  });
}

function rowOf(
  { shares, costBasis, realized, investment }: CostBasis,
  market: VaultMarket,
  time: number,
  subject: Pick<PnlRow, 'type'> & { readonly shares: bigint; readonly tokensPerShare: Rational },
): PnlRow {
  const position = toTokens(Rational.of(shares), market.decimals);
  const sharePrice = valueAt(subject.tokensPerShare, market, time);
  // The value of an empty position is zero even when prices are unknown.
  const positionValue = shares === 0n ? NOTHING : times(sharePrice, position);
  return {
    time,
    type: subject.type,
    position,
    quantity: toTokens(Rational.of(subject.shares), market.decimals),
    tokenPrice: { usd: ONE, sol: market.solUsd(time), token: market.tokenUsd(time) },
    sharePrice,
    costBasis,
    realizedPnl: realized,
    pnl: plus(minus(positionValue, costBasis), realized),
    positionValue,
    investment,
  };
}

/** The row with its values rounded for publication: its profit and its investment are exact in the published values. */
export function publishedRow(row: PnlRow): PnlRow {
  const [positionValue, costBasis, realizedPnl] = roundedTogether([
    row.positionValue,
    row.costBasis,
    row.realizedPnl,
  ] as const);
  return {
    ...row,
    positionValue,
    costBasis,
    realizedPnl,
    pnl: plus(minus(positionValue, costBasis), realizedPnl),
    investment: minus(costBasis, realizedPnl),
  };
}
