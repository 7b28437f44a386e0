import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { VaultSample } from '../../store/history/samples.ts';
import { address, exact, instant } from '../deployment/fields.ts';
import type { SourcePoint } from './subjects.ts';

const rewards = z.array(
  z.object({ tokenMint: address, apy: exact }).transform(({ tokenMint, apy }) => ({ mint: tokenMint, apy })),
);

/** Null where there was no campaign. */
const incentives = exact.nullable().transform((apy) => apy ?? ZERO);

const vaultPoint = z.object({
  timestamp: instant,
  tvl: exact,
  solTvl: exact,
  apyTheoretical: exact,
  apyActual: exact,
  apyFarmRewards: exact,
  apyReservesIncentives: incentives,
  apyIncentives: incentives,
  sharePrice: exact,
  interest: exact,
  interestUsd: exact,
  interestSol: exact,
  reserves: z.array(
    z.object({ pubkey: address, supplyApy: exact, allocationRatio: exact, rewardTokens: rewards }),
  ),
  vaultRewards: rewards,
});

type VaultPoint = z.output<typeof vaultPoint>;

export const vaultHistory = (vault: Address) =>
  z.array(
    vaultPoint.transform(
      (point): SourcePoint => ({
        bucket: point.timestamp,
        sample: { vaults: [sampleOf(vault, point)] },
        reserveYields: point.reserves.map(({ pubkey, supplyApy, rewardTokens }) => ({
          reserve: pubkey,
          supplyApy,
          rewards: rewardTokens,
        })),
      }),
    ),
  );

/**
 * The contract has no null: values that need an unknown price are "0". A share is never worthless, so a share
 * price of 0 means that the price is unknown, and an amount in SOL is unknown when it is 0 while the USD
 * amount is not.
 */
function sampleOf(vault: Address, point: VaultPoint): VaultSample {
  const priced = !point.sharePrice.isZero;
  const usd = (value: Rational) => (priced ? value : null);
  const sol = (value: Rational, inUsd: Rational) =>
    value.isZero && !(priced && inUsd.isZero) ? null : value;
  return {
    vault,
    tvlTokens: null,
    tvlUsd: usd(point.tvl),
    tvlSol: sol(point.solTvl, point.tvl),
    tokensPerShare: null,
    tokenPriceUsd: null,
    sharePriceUsd: usd(point.sharePrice),
    sharesIssued: null,
    apyActual: point.apyActual,
    apyTheoretical: point.apyTheoretical,
    apyFarmRewards: point.apyFarmRewards,
    apyIncentives: point.apyIncentives,
    apyReservesIncentives: point.apyReservesIncentives,
    interest: point.interest,
    interestUsd: usd(point.interestUsd),
    interestSol: sol(point.interestSol, point.interestUsd),
    interestPerSecond: null,
    performanceFees: null,
    managementFees: null,
    holders: null,
    allocations: point.reserves.map(({ pubkey, allocationRatio }) => ({
      reserve: pubkey,
      ratio: allocationRatio,
    })),
    rewards: point.vaultRewards,
  };
}
