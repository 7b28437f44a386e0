import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { DAY_SECONDS } from '../../domain/dates.ts';
import type { PricedReserve, PricedReserves } from '../../domain/obligation.ts';
import { growthSteps, type ReserveRates, reserveAhead } from '../../domain/risk/interest-ahead.ts';
import { type PriceShocks, shockedPrice, shockedReserve } from '../../domain/risk/price-shock.ts';
import type { ReserveRecord } from '../request/records.ts';
import { borrowBaseApy, collateralGrowthApy, reservePrice } from '../reserves/reserves.ts';
import { Valuation } from '../tokens/valuation.ts';
import type { Scenario } from './scenario.ts';

/** The reserves of a View under a scenario, each computed once. */
export interface SupposedReserves {
  readonly priced: PricedReserves;
  /** The time of the scenario, Unix seconds. */
  readonly timestamp: bigint;
  readonly solPriceUsd: Rational | null;
  /** The price of a token under the scenario; null when unknown. */
  readonly tokenPrice: (mint: Address) => Rational | null;
}

/** The reserves at these addresses under a scenario, with the steps of each before it is computed. */
export function* supposedReserves(
  view: View,
  scenario: Scenario,
  addresses: Iterable<Address>,
): Generator<number, SupposedReserves> {
  const supposed = new Map<Address, PricedReserve>();
  for (const address of new Set(addresses)) {
    const reserve = view.get('reserve', address);
    if (reserve === undefined) continue;
    const { days, prices } = scenario;
    const rates = ratesOf(view, scenario, reserve);
    yield 1 + growthSteps(days, rates.supplyApy) + growthSteps(days, rates.borrowApy);
    const { accrued, priceUsd } = presentReserve(view, reserve);
    supposed.set(address, shockedReserve({ accrued: reserveAhead(accrued, days, rates), priceUsd }, prices));
  }
  return withPrices(view, scenario.prices, scenario.days, (address) => supposed.get(address));
}

/** The reserves as they are. */
export function presentReserves(view: View): SupposedReserves {
  return withPrices(view, new Map(), 0, (address) => {
    const reserve = view.get('reserve', address);
    return reserve && presentReserve(view, reserve);
  });
}

function presentReserve(view: View, reserve: ReserveRecord): PricedReserve {
  return { accrued: Valuation.of(view).accrued(reserve), priceUsd: reservePrice(view, reserve)?.usd ?? null };
}

function withPrices(view: View, prices: PriceShocks, days: number, priced: PricedReserves): SupposedReserves {
  const timestamp = view.moment.timestamp + BigInt(days) * DAY_SECONDS;
  const valuation = Valuation.of(view);
  const tokenPrice = (mint: Address) =>
    shockedPrice(valuation.tokenPrice(mint)?.usd ?? null, prices.get(mint));
  return { priced, timestamp, solPriceUsd: tokenPrice(WRAPPED_SOL_MINT), tokenPrice };
}

function ratesOf(view: View, { rates, days }: Scenario, reserve: ReserveRecord): ReserveRates {
  if (days === 0) return { supplyApy: ZERO, borrowApy: ZERO };
  const given = rates.get(reserve.address);
  return {
    supplyApy: given?.supplyApy ?? collateralGrowthApy(view, reserve),
    borrowApy: given?.borrowApy ?? borrowBaseApy(view, reserve),
  };
}
