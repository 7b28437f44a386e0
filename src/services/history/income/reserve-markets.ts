import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../../domain/arithmetic.ts';
import type { Holding, HoldingChange } from '../../../domain/pnl/holding-income.ts';
import type { UnitMarket } from '../../../domain/pnl/interest-tally.ts';
import type { ReserveQuotes } from '../../../domain/pnl/obligation-fold.ts';
import { liquidityValue } from '../../../domain/pnl/obligation-pnl.ts';
import { DAY } from '../../../store/history/time-buckets.ts';
import type { LentToken } from '../obligations/point.ts';

/** The times at which holdings are valued: ascending unix seconds, the last one at most a second after the View's. */
export interface IncomeTimes {
  readonly bounds: readonly number[];
  readonly now: number;
}

/** The UTC midnight at or after a time. */
const dayEnd = (time: number): number => Math.ceil(time / DAY) * DAY;

/** The UTC midnights after a time, up to the last bound. */
export function midnightsUntil(from: number, { bounds, now }: IncomeTimes): number[] {
  const until = Math.min(bounds.at(-1) ?? now, now);
  const midnights: number[] = [];
  for (let time = dayEnd(from + 1); time <= until; time += DAY) midnights.push(time);
  return midnights;
}

/** All times at which quotes are needed: those given, the bounds, now, and the ends of their days. */
export function momentsWith(times: readonly number[], { bounds, now }: IncomeTimes): Set<number> {
  const valued = [...times, ...bounds, now];
  return new Set(valued.flatMap((time) => [Math.min(time, now), Math.min(dayEnd(time), now)]));
}

interface ReserveHolding {
  readonly reserve: Address;
  readonly token: LentToken;
  readonly side: Holding['side'];
  readonly changes: readonly HoldingChange[];
  /** At all `momentsWith` the changes, midnights and bounds. */
  readonly quotes: ReserveQuotes;
}

/** Collateral tokens of a reserve, or debt divided by its cumulative rate. Interest is valued at the end of its UTC day. */
export function reserveHolding(
  { reserve, token, side, changes, quotes }: ReserveHolding,
  now: number,
): Holding {
  const priced = (pricedAt: (time: number) => number): UnitMarket => ({
    decimals: token.decimals,
    tokensPerUnit(time) {
      const quote = quotes(reserve, Math.min(time, now));
      return side === 'debt' ? quote.cumulativeBorrowRate : quote.liquidityPerCollateral;
    },
    valueAt(tokens, time) {
      const baseUnits = tokens.mul(integer(10n ** BigInt(token.decimals)));
      return {
        ...liquidityValue(baseUnits, quotes(reserve, Math.min(pricedAt(time), now))),
        token: toTokens(baseUnits, token.decimals),
      };
    },
  });
  return { side, changes, market: priced((time) => time), interestMarket: priced(dayEnd) };
}
