import type { View } from '../../chain/view.ts';
import type { ReserveQuotes } from '../../domain/pnl/obligation-fold.ts';
import { priceInSol } from '../../domain/pnl/obligation-pnl.ts';
import type { LendingEvent } from '../../domain/transactions/events.ts';
import { roundToStored } from '../../numeric/decimal.ts';
import { ONE, type Rational } from '../../numeric/rational.ts';
import { WRAPPED_SOL_MINT } from '../../programs/program-ids.ts';
import type { Sql } from '../../store/sql.ts';
import { priceLookup } from '../history/price-lookup.ts';
import { type RateLookup, rateLookup } from '../history/rate-lookup.ts';
import { tokenInView } from './history-point.ts';

const EXACT_TIMES = 100;

export interface EventQuotes {
  /** At the given times, and from the View's time on. */
  readonly quotes: ReserveQuotes;
  readonly rates: RateLookup;
  /** USD per SOL, at the same times. Null when unknown. */
  solUsd(time: number): Rational | null;
}

/** The reserves and times of the events. */
export function momentsOf(events: readonly LendingEvent[]) {
  return {
    reserves: [...new Set(events.map(({ reserve }) => reserve))],
    times: events.map(({ time }) => time),
  };
}

/**
 * Rates and prices of the reserves at each of the times (unix seconds), in two statements. A reserve that no longer exists has no
 * known token, hence no value.
 */
export async function eventQuotes(
  sql: Sql,
  view: View,
  { reserves, times: asked }: ReturnType<typeof momentsOf>,
  useStakeRate: boolean,
): Promise<EventQuotes> {
  const now = Number(view.moment.timestamp);
  const times = asked.map((time) => Math.min(time, now));
  const mints = reserves.flatMap((reserve) => tokenInView(view, reserve)?.mint ?? []);
  const [rates, prices] = await Promise.all([
    rateLookup(sql, view, reserves, times),
    priceLookup(sql, view, mints, times),
  ]);
  // Exact for few times. The exact sum of many quotients would grow with each one.
  const short = (value: Rational) => (times.length > EXACT_TIMES ? roundToStored(value) : value);
  const quotes: ReserveQuotes = (reserve, time) => {
    const at = Math.min(time, now);
    const token = tokenInView(view, reserve);
    const rate = rates.cumulativeBorrowRate(reserve, at);
    const known = {
      liquidityPerCollateral: rates.liquidityPerCollateral(reserve, at)?.value ?? null,
      cumulativeBorrowRate: rate?.value ?? null,
      ...(rate === null ? {} : { borrowRateSlack: rate.slack }),
    };
    if (token === undefined) return { ...known, decimals: 0, priceUsd: null, priceSol: null };
    const priceUsd = rates.priceUsd(reserve, at) ?? prices.usd(token.mint, at);
    const stakeRate = token.mint === WRAPPED_SOL_MINT ? ONE : prices.stakeRateSol(token.mint, at);
    const priceSol = priceInSol(priceUsd, prices.solUsd(at), useStakeRate ? stakeRate : null);
    return { ...known, decimals: token.decimals, priceUsd, priceSol: priceSol && short(priceSol) };
  };
  return { quotes, rates, solUsd: (time) => prices.solUsd(Math.min(time, now)) };
}
