import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Mark } from '../store/alerts/alert-rows.ts';

/** Period over which withdrawals add up. */
const WINDOW_MS = 3_600_000;

export interface Outflow {
  /** The fraction of the vault's shares that were redeemed since the mark, less those issued meanwhile. */
  readonly value: Rational;
  /** The mark from now on: the highest supply since the window began. */
  readonly mark: Mark;
}

/**
 * Measures withdrawals by the supply of shares, which yield and prices do not move. The window begins with the highest
 * supply and starts over after an hour.
 */
export function outflowSince(mark: Mark | null, shares: Rational, now: Date): Outflow {
  const fresh: Outflow = { value: ZERO, mark: { shares: toDecimalString(shares), at: now } };
  if (mark === null || now.getTime() - mark.at.getTime() >= WINDOW_MS) return fresh;
  const highest = parseDecimal(mark.shares);
  if (highest.compare(shares) < 0 || highest.isZero) return fresh;
  return { value: highest.sub(shares).div(highest), mark };
}
