import type { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type ObservedPrice, pricesAt } from '../../store/history/points-at.ts';
import type { Sql } from '../../store/sql.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import { solPriceUsd, stakeRateSol, tokenPrice } from '../tokens/tokens.ts';
import { type Moment, Moments, momentsOf, where } from './moments.ts';

/**
 * Recorded prices, for folds over history. Times are unix seconds. Returns the latest price at or before the time; null
 * when none is recent enough, so also before recording began.
 */
export interface PriceLookup {
  /** USD per whole token. */
  usd(mint: Address, time: number): Rational | null;
  solUsd(time: number): Rational | null;
  /** SOL per liquid-staking token by its stake rate; also null for any other token. */
  stakeRateSol(mint: Address, time: number): Rational | null;
}

type Known = Pick<ObservedPrice, 'priceUsd' | 'stakeRateSol'>;

const PRICES_AT_ONCE = 2_000;

const UNKNOWN: Known = { priceUsd: null, stakeRateSol: null };

const pricesOf = perSession(
  (session, sql: Sql) =>
    new Moments<Known>(session.work, PRICES_AT_ONCE, async (moments) => {
      const requests = moments.map(({ address, time }) => ({
        mint: address,
        instant: new Date(time * 1_000),
      }));
      return (await pricesAt(sql, requests)).map((price) => price ?? UNKNOWN);
    }),
);

/**
 * Prices of tokens at the given moments, and of SOL at the given times. The View's time uses the View's prices, so the end
 * of a history matches the present. Other moments throw. Batches the lookups of one tick.
 */
export async function priceLookup(
  sql: Sql,
  session: Session,
  moments: Iterable<Moment>,
  solTimes: Iterable<number>,
): Promise<PriceLookup> {
  const { view } = session;
  const now = Number(view.moment.timestamp);
  const prices = pricesOf(session, sql);
  const isPast = ({ time }: Moment) => time !== now;
  const sol = momentsOf([WRAPPED_SOL_MINT], solTimes);
  await Promise.all([prices.load(where(moments, isPast)), prices.load(where(sol, isPast))]);
  const present = (mint: Address): Known => ({
    priceUsd: mint === WRAPPED_SOL_MINT ? solPriceUsd(view) : (tokenPrice(view, mint)?.usd ?? null),
    stakeRateSol: mint === WRAPPED_SOL_MINT ? null : stakeRateSol(view, mint),
  });
  const at = (mint: Address, time: number) => (time === now ? present(mint) : prices.at(mint, time));
  return {
    usd: (mint, time) => at(mint, time).priceUsd,
    solUsd: (time) => at(WRAPPED_SOL_MINT, time).priceUsd,
    stakeRateSol: (mint, time) => at(mint, time).stakeRateSol,
  };
}
