import { roundParts } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { unitsPerToken } from '../../domain/arithmetic.ts';
import { inSol } from '../../domain/price.ts';
import { readLeverage } from '../../store/history/leverage.ts';
import { pricesAt } from '../../store/history/points-at.ts';
import type { Database } from '../../store/sql.ts';
import type { Platform } from '../platform/platform.ts';
import { perSession } from '../request/per-session.ts';
import type { Session } from '../request/session.ts';
import { type Rounding, type TokenAmount, valuedAmount } from '../tokens/amounts.ts';

/** Totals of the leveraged positions between two reserves, from the last scan of their market. */
export interface LeverageMetrics {
  readonly tag: 'MULTIPLY' | 'LEVERAGE';
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  readonly averageLeverage: Rational;
  /** At the prices of the scan. */
  readonly deposited: TokenAmount;
  readonly borrowed: TokenAmount;
  /** USD deposited minus USD borrowed; null when a price was unknown. */
  readonly tvlUsd: Rational | null;
  readonly obligations: number;
  readonly updatedAt: Date;
}

const TAGS: Readonly<Record<number, LeverageMetrics['tag']>> = { 1: 'MULTIPLY', 3: 'LEVERAGE' };

const loaderOf = perSession(
  (session, db: Database) =>
    new DataLoader<Address, readonly LeverageMetrics[]>((markets) => read(db, session, markets)),
);

/**
 * Batches the markets requested in one tick.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function leverageOfMarket(
  platform: Platform,
  session: Session,
  market: Address,
): Promise<readonly LeverageMetrics[]> {
  const db = platform.historyFor(session, 'The summary of leveraged positions', 'recorded');
  return await loaderOf(session, db).load(market);
}

async function read(
  db: Database,
  session: Session,
  markets: readonly Address[],
): Promise<(readonly LeverageMetrics[])[]> {
  const scans = await readLeverage(db, markets);
  const instants = [...scans.values()].map(({ sampledAt }) => sampledAt);
  const sol = await pricesAt(
    db,
    instants.map((instant) => ({ mint: WRAPPED_SOL_MINT, instant })),
  );
  const solPriceAt = (at: Date) => sol[instants.indexOf(at)]?.priceUsd ?? null;
  return markets.map((market) => {
    const scan = scans.get(market);
    if (scan === undefined) return [];
    const solPriceUsd = solPriceAt(scan.sampledAt);
    return scan.leverage.flatMap((pair) => {
      const tag = TAGS[pair.tag];
      const valued = (usd: Rational | null) => ({ usd, sol: inSol(usd, solPriceUsd) });
      const [inUsd, outUsd] = roundParts([pair.depositedUsd ?? ZERO, pair.borrowedUsd ?? ZERO] as const);
      const depositValue = valued(pair.depositedUsd && inUsd);
      const debtValue = valued(pair.borrowedUsd && outUsd);
      const deposited = amountOf(session, pair.depositReserve, pair.deposited, depositValue, 'down');
      const borrowed = amountOf(session, pair.borrowReserve, pair.borrowed, debtValue, 'up');
      if (tag === undefined || deposited === null || borrowed === null) return [];
      return {
        tag,
        depositReserve: pair.depositReserve,
        borrowReserve: pair.borrowReserve,
        averageLeverage: pair.avgLeverage,
        deposited,
        borrowed,
        tvlUsd: deposited.usd && borrowed.usd && deposited.usd.sub(borrowed.usd),
        obligations: pair.obligations,
        updatedAt: scan.sampledAt,
      };
    });
  });
}

/** Null for a reserve that no longer exists: its token is unknown. */
function amountOf(
  { view }: Session,
  reserve: Address,
  amount: Rational,
  value: Pick<TokenAmount, 'usd' | 'sol'>,
  rounding: Rounding,
): TokenAmount | null {
  const liquidity = view.get('reserve', reserve)?.value.liquidity;
  if (liquidity === undefined) return null;
  const token = { mint: liquidity.mintPubkey, decimals: liquidity.mintDecimals };
  const baseUnits = amount.mul(integer(unitsPerToken(token.decimals)));
  return valuedAmount(token, baseUnits, value, rounding);
}
