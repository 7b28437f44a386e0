import type { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import type { View } from '../../../chain/view/view.ts';
import type { Sample } from '../../../domain/pnl/series.ts';
import { sharePriceFrom } from '../../../domain/pnl/share-price.ts';
import type { VaultMarket } from '../../../domain/pnl/vault-pnl.ts';
import { type Points, readPoints } from '../../../store/history/read-series.ts';
import type { Selected } from '../../../store/history/series.ts';
import { bucketOf, DAY } from '../../../store/history/time-buckets.ts';
import { VAULT_SERIES, type VaultPoint } from '../../../store/history/vault-series.ts';
import type { Sql } from '../../../store/sql.ts';
import { type DepositPrice, depositPrices } from '../../../store/transactions/deposit-prices.ts';
import { perSession } from '../../request/per-session.ts';
import type { VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { tokensPerShare } from '../../vaults/vaults.ts';
import { momentsOf } from '../moments.ts';
import { type PriceLookup, priceLookup } from '../price-lookup.ts';

/** Fields of a recorded share price. */
export const SHARE_PRICE_FIELDS = [
  'sampledAt',
  'tokensPerShare',
] as const satisfies readonly (keyof VaultPoint)[];
type SharePricePoint = Selected<VaultPoint, (typeof SHARE_PRICE_FIELDS)[number]>;

/** The part of a vault's history to read. Times are unix seconds. */
export interface MarketQuery {
  readonly vault: VaultRecord;
  /** The first and the last time at which shares are valued. */
  readonly from: number;
  readonly until: number;
  /** Every time at which tokens are valued. */
  readonly times: readonly number[];
  /** Whether tokens are also valued at the end of each day. */
  readonly atDayEnds?: boolean;
  /** Points between the daily ones, if already loaded. */
  readonly finer?: readonly SharePricePoint[];
}

/** A vault's price history, for the folds. */
export interface PastMarket {
  /** Null without any known share price. */
  readonly market: VaultMarket | null;
  /** The last sample of each past UTC day between the first and the last time, ascending, unix seconds. */
  readonly dayEnds: readonly number[];
}

/** Share prices are interpolated, so the samples on both sides of the range must be read. */
const MARGIN = 2 * DAY;

/** Unix seconds, the resolution of the chain's clock. */
export const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1_000);
const instantAt = (time: number): Date => new Date(time * 1_000);

const loaderOf = perSession(
  (session, sql: Sql) =>
    new DataLoader<MarketQuery, PastMarket>((asks) => pastMarkets(sql, session, asks), { cache: false }),
);

/** Batches the queries of one tick of a request. */
export function pastMarket(sql: Sql, session: Session, ask: MarketQuery): Promise<PastMarket> {
  return loaderOf(session, sql).load(ask);
}

/** Three statements for any number of vaults: daily points, earlier deposits where needed, and prices. */
export async function pastMarkets(
  sql: Sql,
  session: Session,
  asks: readonly MarketQuery[],
): Promise<PastMarket[]> {
  const { view } = session;
  const days = await daysOf(sql, asks);
  const daysAsked = asks.map(({ vault }) => days.get(vault.address) ?? []);
  const dayEnds = asks.map((ask, i) => dayEndsOf(view, ask, daysAsked[i] ?? []));
  const spans = asks.map((ask, i) => earlySpan(ask, daysAsked[i] ?? []));
  const [early, prices] = await Promise.all([
    spans.some(({ start, end }) => start < end) ? depositPrices(sql, spans) : [],
    pricesOf(
      sql,
      session,
      asks.map(({ vault, times, atDayEnds = false }, i) => ({
        vault,
        times: atDayEnds ? [...times, ...(dayEnds[i] ?? [])] : times,
      })),
    ),
  ]);
  return asks.map((ask, i) => ({
    market: marketOf(view, ask, daysAsked[i] ?? [], early[i] ?? [], prices),
    dayEnds: dayEnds[i] ?? [],
  }));
}

function dayEndsOf(view: View, { from, until }: MarketQuery, days: readonly SharePricePoint[]): number[] {
  const today = bucketOf(instantAt(Number(view.moment.timestamp)), DAY);
  return days
    .filter(({ bucket }) => bucket < today)
    .map(({ sampledAt }) => secondsOf(sampledAt))
    .filter((time) => time >= from && time <= until);
}

/** Prices of each vault's token and of SOL at its times. */
export function pricesOf(
  sql: Sql,
  session: Session,
  asks: readonly Pick<MarketQuery, 'vault' | 'times'>[],
): Promise<PriceLookup> {
  return priceLookup(
    sql,
    session,
    asks.flatMap(({ vault, times }) => [...momentsOf([vault.value.tokenMint], times)]),
    asks.flatMap(({ times }) => times),
  );
}

async function daysOf(sql: Sql, asks: readonly MarketQuery[]): Promise<Points<SharePricePoint>> {
  if (asks.length === 0) return new Map<Address, SharePricePoint[]>();
  const start = instantAt(Math.min(...asks.map(({ from }) => from)) - MARGIN);
  const end = instantAt(Math.max(...asks.map(({ until }) => until)) + MARGIN);
  return await readPoints(
    sql,
    VAULT_SERIES,
    asks.map(({ vault }) => vault.address),
    { start, end, step: DAY },
    SHARE_PRICE_FIELDS,
  );
}

/** The span before the first recorded day; empty when recording goes back far enough. */
function earlySpan({ vault, from, until }: MarketQuery, days: readonly SharePricePoint[]) {
  const first = days.find((point) => point.tokensPerShare !== null);
  const end = first?.sampledAt ?? instantAt(until + MARGIN);
  const start = instantAt(from - MARGIN);
  return { vault: vault.address, start: start < end && secondsOf(end) > from ? start : end, end };
}

function marketOf(
  view: View,
  { vault, finer = [] }: MarketQuery,
  days: readonly SharePricePoint[],
  early: readonly DepositPrice[],
  prices: PriceLookup,
): VaultMarket | null {
  const { tokenMint, tokenMintDecimals, sharesIssued } = vault.value;
  const now = Number(view.moment.timestamp);
  const known = new Map<number, Rational>();
  // A zero share price means that no shares existed.
  const addSample = (time: number, value: Rational | null) => {
    if (value !== null && !value.isZero && time <= now) known.set(time, value);
  };
  for (const { time, tokensPerShare: value } of early) addSample(secondsOf(time), value);
  for (const point of [...days, ...finer]) addSample(secondsOf(point.sampledAt), point.tokensPerShare);
  if (sharesIssued > 0n) addSample(now, tokensPerShare(view, vault));
  const samples = [...known]
    .map(([time, value]): Sample => ({ time, value }))
    .sort((a, b) => a.time - b.time);
  const sharePrice = sharePriceFrom(samples, []);
  return (
    sharePrice && {
      tokensPerShare: sharePrice,
      decimals: Number(tokenMintDecimals),
      tokenIsSol: tokenMint === WRAPPED_SOL_MINT,
      tokenUsd: (time) => prices.usd(tokenMint, time),
      solUsd: (time) => prices.solUsd(time),
    }
  );
}
