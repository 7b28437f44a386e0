import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { compoundedApy } from './apy.ts';
import type { EpochSchedule } from './epochs.ts';
import { SECONDS_PER_YEAR } from './moment.ts';

/** The last known stake rate of a liquid-staking token in an epoch. */
export interface EpochRate {
  readonly epoch: bigint;
  /** When the rate was sampled. */
  readonly slot: bigint;
  readonly sampledAt: Date;
  /** SOL per whole token. */
  readonly rate: Rational;
}

/** The growth of a stake rate during an epoch, per year. */
export interface EpochYield {
  readonly epoch: bigint;
  /** Growth in the epoch times the epochs of a year. */
  readonly apr: Rational;
  /** The same growth, compounded every epoch. */
  readonly apy: Rational;
  /** When the rate at the end of the epoch was sampled. */
  readonly sampledAt: Date;
}

/**
 * The yield of each epoch whose rate is known at its end and at the end of the epoch before.
 *
 * Stake pools raise their rate once an epoch, so the growth between two samples counts as that of one epoch. Samples that
 * are not about one epoch apart may lie before and after more or fewer raises, and give no yield. The length of an epoch is
 * that of its slots between the two samples.
 *
 * @param rates ascending, at most one per epoch
 */
export function epochYields(
  { slotsPerEpoch }: Pick<EpochSchedule, 'slotsPerEpoch'>,
  rates: readonly EpochRate[],
): EpochYield[] {
  return rates.flatMap((last, i) => {
    const first = rates[i - 1];
    if (first === undefined || last.epoch !== first.epoch + 1n) return [];
    const slots = last.slot - first.slot;
    const ms = BigInt(last.sampledAt.getTime() - first.sampledAt.getTime());
    const isAboutOneEpoch = 2n * slots >= slotsPerEpoch && 2n * slots <= 3n * slotsPerEpoch;
    if (!isAboutOneEpoch || ms <= 0n || first.rate.n <= 0n || last.rate.n <= 0n) return [];
    const growth = last.rate.div(first.rate);
    const epochsPerYear = Rational.of(SECONDS_PER_YEAR * 1_000n * slots, slotsPerEpoch * ms);
    return {
      epoch: last.epoch,
      apr: growth.sub(ONE).mul(epochsPerYear),
      apy: compoundedApy(growth, epochsPerYear),
      sampledAt: last.sampledAt,
    };
  });
}
