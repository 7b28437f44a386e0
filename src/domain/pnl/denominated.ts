import { roundParts } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { inSol } from '../price.ts';

/**
 * One value in three denominations, whole units. USD and SOL are null when a required price is unknown, and every sum
 * with a null part is null. The amount in the vault's token is always known.
 */
export interface Denominated {
  readonly usd: Rational | null;
  readonly sol: Rational | null;
  readonly token: Rational;
}

const MINUS_ONE = integer(-1n);

export const NOTHING: Denominated = { usd: ZERO, sol: ZERO, token: ZERO };

/** Prices over time (unix seconds); null where none is known. */
export interface TokenPrices {
  /** USD per whole token. */
  tokenUsd(time: number): Rational | null;
  /** USD per SOL. */
  solUsd(time: number): Rational | null;
  /** Wrapped SOL converts to SOL 1:1, whatever the prices. */
  readonly tokenIsSol: boolean;
}

/** The value of whole tokens at a unix time (seconds). */
export function valueAt(tokens: Rational, prices: TokenPrices, time: number): Denominated {
  const price = prices.tokenUsd(time);
  const usd = price === null ? null : tokens.mul(price);
  return { usd, sol: prices.tokenIsSol ? tokens : inSol(usd, prices.solUsd(time)), token: tokens };
}

export function plus(a: Denominated, b: Denominated): Denominated {
  return { usd: sumOf(a.usd, b.usd), sol: sumOf(a.sol, b.sol), token: a.token.add(b.token).reduced() };
}

export function minus(a: Denominated, b: Denominated): Denominated {
  return plus(a, times(b, MINUS_ONE));
}

export function times(a: Denominated, factor: Rational): Denominated {
  return {
    usd: a.usd?.mul(factor).reduced() ?? null,
    sol: a.sol?.mul(factor).reduced() ?? null,
    token: a.token.mul(factor).reduced(),
  };
}

/** The sum; null when a part is unknown. */
export function sumOf(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : a.add(b).reduced();
}

/** The product; null when a part is unknown. */
export function productOf(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : a.mul(b);
}

/** Rounds values for publication next to their sums and differences, in each denomination. */
export function roundedTogether<T extends readonly Denominated[]>(values: T): { [K in keyof T]: Denominated };
export function roundedTogether(values: readonly Denominated[]): readonly Denominated[] {
  const rounded = (unit: keyof Denominated) => roundParts(values.map((value) => value[unit] ?? ZERO));
  const [usd, sol, token] = [rounded('usd'), rounded('sol'), rounded('token')];
  return values.map((value, i) => ({
    usd: value.usd && (usd[i] ?? null),
    sol: value.sol && (sol[i] ?? null),
    token: token[i] ?? ZERO,
  }));
}
