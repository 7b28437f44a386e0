import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PriceShock, PriceShocks } from '../../domain/risk/price-shock.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

/** A supposed price as the caller gives it. Exactly one of the last two must be set. */
export interface GivenShock {
  readonly mint: Address;
  /** Change of the current price in percent. */
  readonly changePct?: Rational | null | undefined;
  /** USD per whole token. */
  readonly usd?: Rational | null | undefined;
}

const FULL_PCT = 100n;
const LEAST_CHANGE_PCT = integer(-FULL_PCT);
/** Bounds that no market reaches; they keep the numbers printable. */
const MOST_CHANGE_PCT = integer(10n ** 9n);
const MOST_USD = integer(10n ** 15n);

/** Checks supposed prices. @throws SluiceError with the mint when one makes no sense, or no reserve of the View has it */
export function priceShocks(view: View, given: readonly GivenShock[]): PriceShocks {
  const shocks = new Map<Address, PriceShock>();
  for (const each of given) {
    const { mint } = each;
    if (view.reservesOfMint(mint).length === 0) throw new SluiceError('SHOCK_MINT_UNKNOWN', { mint });
    if (shocks.has(mint)) throw invalid(mint, 'is given twice. Name each mint once');
    shocks.set(mint, shockOf(each));
  }
  return shocks;
}

function shockOf({ mint, changePct = null, usd = null }: GivenShock): PriceShock {
  if ((changePct === null) === (usd === null)) {
    throw invalid(mint, 'needs either `changePct` or `usd`, and not both');
  }
  if (usd !== null) {
    if (usd.isNegative) throw invalid(mint, `is ${toDecimalString(usd)} USD. It must not be negative`);
    if (usd.compare(MOST_USD) > 0) throw invalid(mint, `exceeds ${toDecimalString(MOST_USD)} USD`);
    return { usd };
  }
  const change = changePct ?? ZERO;
  if (change.compare(LEAST_CHANGE_PCT) < 0) {
    throw invalid(mint, `changes by ${toDecimalString(change)} %. A price can fall by 100 % at most`);
  }
  if (change.compare(MOST_CHANGE_PCT) > 0) {
    throw invalid(mint, `rises by more than ${toDecimalString(MOST_CHANGE_PCT)} %`);
  }
  return { change: Rational.of(change.n, change.d * FULL_PCT) };
}

const invalid = (mint: Address, reason: string) => new SluiceError('SHOCK_INVALID', { mint, reason });
