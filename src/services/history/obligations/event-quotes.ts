import { roundToStored } from '@sluice/protocol/numeric/decimal';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import type { ReserveQuotes } from '../../../domain/pnl/obligation-fold.ts';
import { priceInSol } from '../../../domain/pnl/obligation-pnl.ts';
import type { Sql } from '../../../store/sql.ts';
import type { Session } from '../../request/session.ts';
import type { Moment } from '../moments.ts';
import { priceLookup } from '../price-lookup.ts';
import { type RateLookup, rateLookup } from '../rate-lookup.ts';
import { tokenInView } from './point.ts';

const EXACT_TIMES = 100;

export interface EventQuotes {
  /** At the given times, and from the View's time on. */
  readonly quotes: ReserveQuotes;
  readonly rates: RateLookup;
  /** USD per SOL, at the same times. Null when unknown. */
  solUsd(time: number): Rational | null;
}

/** The reserve and time of each event. */
export const eventMoments = (events: readonly Pick<LendingEvent, 'reserve' | 'time'>[]): Moment[] =>
  events.map(({ reserve, time }) => ({ address: reserve, time }));

/**
 * Rates and prices of reserves at moments. A reserve stores its price; that of its token is read where it does not. A
 * reserve that no longer exists has no known token, hence no value.
 */
export async function eventQuotes(
  sql: Sql,
  session: Session,
  asked: Iterable<Moment>,
  useStakeRate: boolean,
): Promise<EventQuotes> {
  const { view } = session;
  const now = Number(view.moment.timestamp);
  const rates = await rateLookup(sql, session, asked);
  const unpriced = {
    *[Symbol.iterator]() {
      for (const { address: reserve, time: askedTime } of asked) {
        const time = Math.min(askedTime, now);
        const mint = tokenInView(view, reserve)?.mint;
        const isNeeded = useStakeRate || rates.priceUsd(reserve, time) === null;
        if (mint !== undefined && isNeeded) yield { address: mint, time };
      }
    },
  };
  const times = new Set<number>();
  for (const { time } of asked) times.add(Math.min(time, now));
  const prices = await priceLookup(sql, session, unpriced, times);
  // Exact for few times. The exact sum of many quotients would grow with each one.
  const short = (value: Rational) => (times.size > EXACT_TIMES ? roundToStored(value) : value);
  const stakeRate = (mint: Address, time: number) =>
    mint === WRAPPED_SOL_MINT ? ONE : prices.stakeRateSol(mint, time);
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
    const staked = useStakeRate ? stakeRate(token.mint, at) : null;
    const priceSol = priceInSol(priceUsd, prices.solUsd(at), staked);
    return { ...known, decimals: token.decimals, priceUsd, priceSol: priceSol && short(priceSol) };
  };
  return { quotes, rates, solUsd: (time) => prices.solUsd(Math.min(time, now)) };
}
