import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { type Rational, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { borrowFactor, collateralTerms } from '../domain/elevation.ts';
import { storedReserve } from '../domain/interest.ts';
import { activeBorrows, activeDeposits, obligationPositions } from '../domain/obligation.ts';
import { obligationStats } from '../domain/obligation-stats.ts';
import { storedPrice } from '../domain/price.ts';
import { type Comparison, type DriftKind, DUST_USD, relativeDifference } from './comparison.ts';

/**
 * Largest lag in slots (about a minute) of an obligation behind its reserves that still allows a rough
 * comparison.
 */
const NEAR_SLOTS = 150n;

/** The totals that the program stores at a refresh. */
interface Totals {
  readonly depositedValueSf: Rational;
  readonly borrowedAssetsMarketValueSf: Rational;
  readonly borrowFactorAdjustedDebtValueSf: Rational;
  readonly allowedBorrowValueSf: Rational;
  readonly unhealthyBorrowValueSf: Rational;
}

/**
 * Compares our totals of an obligation with those stored at its last refresh. An obligation that an action
 * has made stale, or that uses an unknown reserve, yields no comparison. `reserves` must be from the same
 * read as the obligation.
 */
export function compareObligation(
  address: Address,
  obligation: Obligation,
  market: LendingMarket,
  reserves: (address: Address) => Reserve | undefined,
): Comparison[] {
  if (obligation.lastUpdate.stale !== 0) return [];
  const byTerms = totalsByTerms(obligation, market, reserves);
  const compared = byTerms === null ? [] : compare('obligation_terms', address, obligation, byTerms);
  const apart = slotsApart(obligation, reserves);
  if (apart === null || apart > NEAR_SLOTS) return compared;
  const byValues = totalsByValues(obligation, market, reserves);
  if (byValues === null) return compared;
  const kind = apart === 0n ? 'obligation_values' : 'obligation_values_near';
  return [...compared, ...compare(kind, address, obligation, byValues)];
}

function compare(kind: DriftKind, address: Address, obligation: Obligation, ours: Totals): Comparison[] {
  return (Object.keys(ours) as (keyof Totals)[]).map((field) => ({
    kind,
    address,
    field,
    relative: relativeDifference(ours[field], fromScaledFraction(obligation[field]), DUST_USD),
  }));
}

/** From the position values stored in the account; null when a reserve is unknown. */
function totalsByTerms(
  obligation: Obligation,
  market: LendingMarket,
  reserves: (address: Address) => Reserve | undefined,
): Totals | null {
  const group = obligation.elevationGroup;
  const [deposited, allowed, unhealthy]: [Rational[], Rational[], Rational[]] = [[], [], []];
  for (const { depositReserve, marketValueSf } of activeDeposits(obligation)) {
    const reserve = reserves(depositReserve);
    if (reserve === undefined) return null;
    const value = fromScaledFraction(marketValueSf);
    const { maxLtv, liquidationLtv } = collateralTerms(market, reserve, group);
    deposited.push(value);
    allowed.push(value.mul(maxLtv));
    unhealthy.push(value.mul(liquidationLtv));
  }
  const [borrowed, factored]: [Rational[], Rational[]] = [[], []];
  for (const { borrowReserve, marketValueSf } of activeBorrows(obligation)) {
    const reserve = reserves(borrowReserve);
    if (reserve === undefined) return null;
    const value = fromScaledFraction(marketValueSf);
    borrowed.push(value);
    factored.push(value.mul(borrowFactor(market, reserve, group)));
  }
  return {
    depositedValueSf: sum(deposited),
    borrowedAssetsMarketValueSf: sum(borrowed),
    borrowFactorAdjustedDebtValueSf: sum(factored),
    allowedBorrowValueSf: sum(allowed),
    unhealthyBorrowValueSf: sum(unhealthy),
  };
}

/**
 * From the amounts and prices that the reserves stored at their own last refresh; null when one has no price.
 */
function totalsByValues(
  obligation: Obligation,
  market: LendingMarket,
  reserves: (address: Address) => Reserve | undefined,
): Totals | null {
  const positions = obligationPositions(obligation, market, (address) => {
    const reserve = reserves(address);
    if (reserve === undefined) return undefined;
    return { accrued: storedReserve(reserve), priceUsd: storedPrice(reserve, 0n)?.usd ?? null };
  });
  const stats = obligationStats(positions);
  return (
    stats && {
      depositedValueSf: stats.userTotalDeposit,
      borrowedAssetsMarketValueSf: stats.userTotalBorrow,
      borrowFactorAdjustedDebtValueSf: stats.userTotalBorrowBorrowFactorAdjusted,
      allowedBorrowValueSf: stats.borrowLimit,
      unhealthyBorrowValueSf: stats.borrowLiquidationLimit,
    }
  );
}

/**
 * The largest distance in slots between the refresh of the obligation and of one of its reserves; null when a
 * reserve is unknown.
 */
function slotsApart(
  obligation: Obligation,
  reserves: (address: Address) => Reserve | undefined,
): bigint | null {
  let furthest = 0n;
  const used = [
    ...activeDeposits(obligation).map(({ depositReserve }) => depositReserve),
    ...activeBorrows(obligation).map(({ borrowReserve }) => borrowReserve),
  ];
  for (const address of used) {
    const reserve = reserves(address);
    if (reserve === undefined) return null;
    const apart = reserve.lastUpdate.slot - obligation.lastUpdate.slot;
    const distance = apart < 0n ? -apart : apart;
    if (distance > furthest) furthest = distance;
  }
  return furthest;
}
