import type { PricedReserves } from '../../../src/domain/obligation.ts';
import { type PriceShocks, shockedReserve } from '../../../src/domain/risk/price-shock.ts';

/** The same reserves at the prices under the shocks. */
export function shockedReserves(reserves: PricedReserves, shocks: PriceShocks): PricedReserves {
  return (address) => {
    const reserve = reserves(address);
    return reserve && shockedReserve(reserve, shocks);
  };
}
