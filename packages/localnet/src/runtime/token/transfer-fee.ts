import type { TransferFeeConfig } from '@sluice/protocol/token/extensions';
import { SLOTS_PER_EPOCH } from '../epoch.ts';
import type { Clock } from '../program.ts';

const BASIS_POINTS = 10_000n;

export const epochOf = ({ slot }: Clock) => slot / SLOTS_PER_EPOCH;

/** Fee of a transfer of the amount in the clock's epoch: rounded up, at most the maximum. */
export function transferFeeOf(config: TransferFeeConfig, amount: bigint, clock: Clock): bigint {
  const { basisPoints, maximumFee } = epochOf(clock) >= config.newer.epoch ? config.newer : config.older;
  const fee = (amount * BigInt(basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return fee < maximumFee ? fee : maximumFee;
}
