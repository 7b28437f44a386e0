import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { FRACTION_ONE, percentScaled, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { unitsPerToken } from '../arithmetic.ts';
import { debtTermKind } from '../debt-terms.ts';
import type { PricedReserve, PricedReserves } from '../obligation.ts';
import { borrowFactorScaled, collateralPercents } from '../refreshed-obligation.ts';
import { collateralExchangeRate } from '../reserve.ts';
import { type PriceShocks, shockedPrice } from './price-shock.ts';

/** A reserve with what valuing a position in it takes, computed once for all loans. */
export interface RiskReserve {
  readonly address: Address;
  /** Price per whole token in units of 2^-60, by scenario. Null when unknown. */
  readonly pricesSf: readonly (bigint | null)[];
  /** Base units per whole token. */
  readonly tokenUnits: bigint;
  /** Liquidity per collateral token in units of 2^-60, as a quotient. */
  readonly liquidityN: bigint;
  readonly liquidityD: bigint;
  /** In units of 2^-60. */
  readonly cumulativeRateSf: bigint;
  /** Terms of debts to it; null for a reserve whose debts have no end. */
  readonly debtTerms: Pick<ReserveConfig, 'debtTermSeconds' | 'debtMaturityTimestamp'> | null;
  /** Terms by elevation group; the first are those without a group. */
  readonly groups: readonly GroupTerms[];
}

/** The terms of a reserve for the loans of one elevation group. */
export interface GroupTerms {
  readonly ltvPct: number;
  readonly thresholdPct: number;
  /** In units of 2^-60, as are the next two. */
  readonly ltvSf: bigint;
  readonly thresholdSf: bigint;
  readonly borrowFactorSf: bigint;
}

/** Terms of a market's obligations in a number of scenarios. Scenario 0 is the present. */
export interface RiskTerms {
  readonly market: LendingMarket;
  /** Unix seconds, in all scenarios. */
  readonly timestamp: bigint;
  readonly scenarios: number;
  /** By the numbers that loans use; undefined for one that cannot be read. */
  readonly reserves: readonly (RiskReserve | undefined)[];
  /** The same reserves, by address. */
  readonly priced: PricedReserves;
}

/** Prices of scenarios that are a step of work. */
const PRICES_PER_STEP = 32;

/**
 * The terms of all scenarios, with the steps of each reserve before it is computed.
 *
 * @param addresses by the numbers that loans use
 * @param priced reserves refreshed with the rounding of the program, at their present prices
 * @param timestamp of that refresh, Unix seconds
 */
export function* riskTerms(
  market: LendingMarket,
  addresses: readonly Address[],
  priced: PricedReserves,
  timestamp: bigint,
  shocks: readonly PriceShocks[],
): Generator<number, RiskTerms> {
  const reserves: (RiskReserve | undefined)[] = [];
  for (const address of addresses) {
    yield 1 + Math.floor(shocks.length / PRICES_PER_STEP);
    const reserve = priced(address);
    reserves.push(reserve && riskReserve(market, address, reserve, shocks));
  }
  return { market, timestamp, scenarios: 1 + shocks.length, reserves, priced };
}

/** The terms at present prices alone. */
export function presentTerms(
  market: LendingMarket,
  addresses: readonly Address[],
  priced: PricedReserves,
  timestamp: bigint,
): RiskTerms {
  const terms = riskTerms(market, addresses, priced, timestamp, []);
  for (;;) {
    const { done, value } = terms.next();
    if (done === true) return value;
  }
}

function riskReserve(
  market: LendingMarket,
  address: Address,
  { accrued, priceUsd }: PricedReserve,
  shocks: readonly PriceShocks[],
): RiskReserve {
  const { account } = accrued;
  const { mintPubkey, mintDecimals } = account.liquidity;
  const rate = collateralExchangeRate(accrued).reduced();
  const scaled = (price: Rational | null) => price && toScaledFraction(price);
  return {
    address,
    pricesSf: [
      scaled(priceUsd),
      ...shocks.map((each) => scaled(shockedPrice(priceUsd, each.get(mintPubkey)))),
    ],
    tokenUnits: unitsPerToken(mintDecimals),
    liquidityN: rate.d * FRACTION_ONE,
    liquidityD: rate.n,
    cumulativeRateSf: toScaledFraction(accrued.cumulativeBorrowRate),
    debtTerms: debtTermKind(account.config) === 'OPEN_TERM' ? null : account.config,
    groups: Array.from({ length: 1 + market.elevationGroups.length }, (_, group) => {
      const percents = collateralPercents(market, account, group);
      return {
        ...percents,
        ltvSf: percentScaled(percents.ltvPct),
        thresholdSf: percentScaled(percents.thresholdPct),
        borrowFactorSf: borrowFactorScaled(account, group),
      };
    }),
  };
}
