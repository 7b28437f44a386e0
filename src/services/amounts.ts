import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { toTokens, valueUsd } from '../domain/arithmetic.ts';
import { inSol } from '../domain/price.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import { Valuation } from './valuation.ts';

/** An amount of a token with its value: the one way in which amounts leave the services. */
export interface TokenAmount {
  readonly mint: Address;
  readonly baseUnits: Rational;
  /** Whole tokens. */
  readonly amount: Rational;
  /** Null when no price is known, as is `sol`. */
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** What an amount is measured in. */
export interface Denomination {
  readonly mint: Address;
  readonly decimals: bigint | number;
  /** Null when unknown. */
  readonly priceUsd: Rational | null;
}

export function tokenAmount(view: View, of: Denomination, baseUnits: Rational | bigint): TokenAmount {
  const exact = typeof baseUnits === 'bigint' ? integer(baseUnits) : baseUnits;
  const usd = of.priceUsd === null ? null : valueUsd(exact, of.decimals, of.priceUsd);
  return {
    mint: of.mint,
    baseUnits: exact,
    amount: toTokens(exact, of.decimals),
    usd,
    sol: inSol(usd, Valuation.of(view).solPriceUsd),
  };
}

/** Amounts of a mint at the price that the View has for it. */
export function denominationOf(view: View, mint: Address, decimals: bigint | number): Denomination {
  return { mint, decimals, priceUsd: Valuation.of(view).tokenPrice(mint)?.usd ?? null };
}
