import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import { turns } from '../../node/turns.ts';
import type { Rational } from '../../numeric/rational.ts';
import { WRAPPED_SOL_MINT } from '../../programs/program-ids.ts';
import { pricesAt } from '../../store/history/points-at.ts';
import type { Sql } from '../../store/sql.ts';
import { solPriceUsd, stakeRateSol, tokenPrice } from '../tokens.ts';

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

interface Known {
  readonly usd: Rational | null;
  readonly stakeRateSol: Rational | null;
}

/**
 * Prices of the given tokens, and of SOL, at the given times, in one statement. The View's time uses the View's prices,
 * so the end of a history matches the present. Other mints and times throw.
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
    const pause = turns.pause();
    if (pause !== null) await pause;
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
