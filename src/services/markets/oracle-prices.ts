import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PriceUsd } from '../../domain/price.ts';
import { perView } from '../request/per-view.ts';
import type { MarketRecord } from '../request/records.ts';
import { reservePrice } from '../reserves/reserves.ts';
import { listMarkets, reservesOfMarket } from './markets.ts';

/** The price of a token in a market. */
export interface OraclePrice {
  readonly mint: Address;
  readonly decimals: number;
  readonly price: PriceUsd;
  /** The lending program refuses to lend at an older price. */
  readonly maxAgeSeconds: bigint;
}

/** The prices that a market uses: one for each token, from its largest reserve with a price. Omits tokens without one. */
export const oraclePrices = perView((view: View, market: MarketRecord): readonly OraclePrice[] => {
  const prices = new Map<Address, OraclePrice>();
  for (const reserve of reservesOfMarket(view, market)) {
    const { mintPubkey: mint, mintDecimals } = reserve.value.liquidity;
    const price = reservePrice(view, reserve);
    if (price === null || prices.has(mint)) continue;
    const { maxAgePriceSeconds } = reserve.value.config.tokenInfo;
    prices.set(mint, { mint, decimals: Number(mintDecimals), price, maxAgeSeconds: maxAgePriceSeconds });
  }
  return [...prices.values()];
});

/** The largest market that the catalogue marks as primary, or the largest of all when it marks none. Null without markets. */
export function mainMarket(view: View): MarketRecord | null {
  return listMarkets(view, { primary: true })[0] ?? listMarkets(view)[0] ?? null;
}
