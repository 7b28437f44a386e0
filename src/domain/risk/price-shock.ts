import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { PricedReserve } from '../obligation.ts';

/** A supposed price of a token: a change of its current price as a fraction (-0.2 is a fall of 20 %), or a price in USD. */
export type PriceShock = { readonly change: Rational } | { readonly usd: Rational };

/** Supposed prices by mint. Prices of all other tokens stay, also of tokens that follow a named one. */
export type PriceShocks = ReadonlyMap<Address, PriceShock>;

/**
 * The price under a shock, rounded down to 2^-60 like every price that the lending program stores. An unknown price stays
 * unknown under a relative change.
 */
export function shockedPrice(priceUsd: Rational | null, shock: PriceShock | undefined): Rational | null {
  if (shock === undefined) return priceUsd;
  const exact = 'usd' in shock ? shock.usd : priceUsd?.mul(ONE.add(shock.change));
  return exact === undefined ? null : fromScaledFraction(toScaledFraction(exact));
}

/** A reserve at the price of its token under the shocks. */
export function shockedReserve(reserve: PricedReserve, shocks: PriceShocks): PricedReserve {
  const shock = shocks.get(reserve.accrued.account.liquidity.mintPubkey);
  if (shock === undefined) return reserve;
  return { accrued: reserve.accrued, priceUsd: shockedPrice(reserve.priceUsd, shock) };
}
