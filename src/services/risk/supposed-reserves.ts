import type { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PricedReserve, PricedReserves } from '../../domain/obligation.ts';
import { reserveAhead } from '../../domain/risk/interest-ahead.ts';
import { shockedPrice, shockedReserve } from '../../domain/risk/price-shock.ts';
import type { ReserveRecord } from '../request/records.ts';
import { borrowBaseApy, collateralGrowthApy, reservePrice } from '../reserves/reserves.ts';
import { Valuation } from '../tokens/valuation.ts';
import type { Scenario } from './scenario.ts';

/** The reserves of a View under a scenario, each computed once. */
export interface SupposedReserves {
  readonly priced: PricedReserves;
  readonly solPriceUsd: Rational | null;
  /** The price of a token under the scenario; null when unknown. */
  readonly tokenPrice: (mint: Address) => Rational | null;
}

export function supposedReserves(view: View, scenario: Scenario): SupposedReserves {
  const { prices } = scenario;
  const valuation = Valuation.of(view);
  const tokenPrice = (mint: Address) =>
    shockedPrice(valuation.tokenPrice(mint)?.usd ?? null, prices.get(mint));
  return {
    priced: underScenario(view, scenario),
    solPriceUsd: tokenPrice(WRAPPED_SOL_MINT),
    tokenPrice,
  };
}

function underScenario(view: View, scenario: Scenario): PricedReserves {
  const known = new Map<Address, PricedReserve | undefined>();
  return (address) => {
    if (known.has(address)) return known.get(address);
    const reserve = view.get('reserve', address);
    const supposed = reserve && supposedReserve(view, scenario, reserve);
    known.set(address, supposed);
    return supposed;
  };
}

function supposedReserve(
  view: View,
  { prices, rates, days }: Scenario,
  reserve: ReserveRecord,
): PricedReserve {
  const accrued = Valuation.of(view).accrued(reserve);
  const given = rates.get(reserve.address);
  const ahead =
    days === 0
      ? accrued
      : reserveAhead(accrued, days, {
          supplyApy: given?.supplyApy ?? collateralGrowthApy(view, reserve),
          borrowApy: given?.borrowApy ?? borrowBaseApy(view, reserve),
        });
  return shockedReserve({ accrued: ahead, priceUsd: reservePrice(view, reserve)?.usd ?? null }, prices);
}
