import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import type { Rational } from '../../numeric/rational.ts';
import { WRAPPED_SOL_MINT } from '../../programs/program-ids.ts';
import { pricesAt } from '../../store/history/points-at.ts';
import type { Sql } from '../../store/sql.ts';
import { solPriceUsd, stakeRateSol, tokenPrice } from '../tokens.ts';

/**
 * Prices as they were recorded, for folds over the past. Times are unix seconds; a price is the newest at or before its
 * time, and null when none was recorded that is new enough: a price before recording began is unknown.
 */
export interface PriceLookup {
  /** USD per whole token. */
  usd(mint: Address, time: number): Rational | null;
  solUsd(time: number): Rational | null;
  /** SOL that a liquid-staking token was worth by its stake rate; null for any other token, too. */
  stakeRateSol(mint: Address, time: number): Rational | null;
}

interface Known {
  readonly usd: Rational | null;
  readonly stakeRateSol: Rational | null;
}

/**
 * The prices of some tokens, and of SOL, at the times that are named: one statement, however many. The View's own time
 * has the View's own prices, so that the end of a history is what the present says. Only those mints and times can be
 * looked up.
 */
export async function priceLookup(
  sql: Sql,
  view: View,
  mints: Iterable<Address>,
  times: Iterable<number>,
): Promise<PriceLookup> {
  const now = Number(view.moment.timestamp);
  const wanted = [...new Set([WRAPPED_SOL_MINT, ...mints])];
  const past = [...new Set(times)].filter((time) => time !== now).sort((a, b) => a - b);
  const instants = past.map((time) => new Date(time * 1_000));
  const recorded = past.length === 0 ? new Map() : await pricesAt(sql, wanted, instants);
  const known = new Map(wanted.map((mint) => [mint, new Map<number, Known>()]));
  for (const [mint, at] of known) {
    const seen = recorded.get(mint) ?? [];
    for (const [index, time] of past.entries()) {
      at.set(time, { usd: seen[index]?.priceUsd ?? null, stakeRateSol: seen[index]?.stakeRateSol ?? null });
    }
    at.set(now, { usd: tokenPrice(view, mint)?.usd ?? null, stakeRateSol: stakeRateSol(view, mint) });
  }
  known.get(WRAPPED_SOL_MINT)?.set(now, { usd: solPriceUsd(view), stakeRateSol: null });
  const at = (mint: Address, time: number): Known => {
    const found = known.get(mint)?.get(time);
    if (found === undefined) throw new RangeError(`the price of ${mint} at ${time} was not looked up`);
    return found;
  };
  return {
    usd: (mint, time) => at(mint, time).usd,
    solUsd: (time) => at(WRAPPED_SOL_MINT, time).usd,
    stakeRateSol: (mint, time) => at(mint, time).stakeRateSol,
  };
}
