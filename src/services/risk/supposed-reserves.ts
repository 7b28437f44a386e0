import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import type { AccruedReserve } from '../../domain/interest.ts';
import type { PricedReserve, PricedReserves } from '../../domain/obligation.ts';
import { reserveAhead } from '../../domain/risk/interest-ahead.ts';
import { shockedPrice, shockedReserve } from '../../domain/risk/price-shock.ts';
import type { Rational } from '../../numeric/rational.ts';
import { WRAPPED_SOL_MINT } from '../../programs/program-ids.ts';
import type { ReserveRecord } from '../records.ts';
import { refreshedReserve } from '../refreshed-reserves.ts';
import { borrowBaseApy, reservePrice, supplyBaseApy } from '../reserves.ts';
import { Valuation } from '../valuation.ts';
import type { Scenario } from './scenario.ts';

/** The reserves of a View under a scenario, each computed once. */
export interface SupposedReserves {
  /** For published figures. */
  readonly exact: PricedReserves;
  /** With the rounding of the program, for what it would do. */
  readonly refreshed: PricedReserves;
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
    exact: underScenario(view, scenario, (reserve) => valuation.accrued(reserve)),
    refreshed: underScenario(view, scenario, (reserve) => refreshedReserve(view, reserve)),
    solPriceUsd: tokenPrice(WRAPPED_SOL_MINT),
    tokenPrice,
  };
}

function underScenario(
  view: View,
  scenario: Scenario,
  accruedOf: (reserve: ReserveRecord) => AccruedReserve,
): PricedReserves {
  const known = new Map<Address, PricedReserve | undefined>();
  return (address) => {
    if (known.has(address)) return known.get(address);
    const reserve = view.get('reserve', address);
    const supposed = reserve && supposedReserve(view, scenario, reserve, accruedOf(reserve));
    known.set(address, supposed);
    return supposed;
  };
}

function supposedReserve(
  view: View,
  { prices, rates, days }: Scenario,
  reserve: ReserveRecord,
  accrued: AccruedReserve,
): PricedReserve {
  const given = rates.get(reserve.address);
  const ahead =
    days === 0
      ? accrued
      : reserveAhead(accrued, days, {
          supplyApy: given?.supplyApy ?? supplyBaseApy(view, reserve),
          borrowApy: given?.borrowApy ?? borrowBaseApy(view, reserve),
        });
  return shockedReserve({ accrued: ahead, priceUsd: reservePrice(view, reserve)?.usd ?? null }, prices);
}
