/** Division of a cluster's slots into epochs. */
export interface EpochSchedule {
  /** Slots of every epoch from `firstNormalEpoch` on. */
  readonly slotsPerEpoch: bigint;
  /** Earlier epochs are shorter: the first has 32 slots, and each has twice as many as the one before. */
  readonly firstNormalEpoch: bigint;
  readonly firstNormalSlot: bigint;
}

/** Slots of epoch 0 where epochs grow. */
const FIRST_EPOCH_SLOTS = 32n;

/** The epoch that contains a slot. */
export function epochAt(schedule: EpochSchedule, slot: bigint): bigint {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (slot >= firstNormalSlot) return firstNormalEpoch + (slot - firstNormalSlot) / slotsPerEpoch;
  // Epoch e starts at slot 32 * (2^e - 1), so slot / 32 + 1 has e + 1 binary digits.
  return BigInt((slot / FIRST_EPOCH_SLOTS + 1n).toString(2).length - 1);
}

export function firstSlotOf(schedule: EpochSchedule, epoch: bigint): bigint {
  const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = schedule;
  if (epoch >= firstNormalEpoch) return firstNormalSlot + (epoch - firstNormalEpoch) * slotsPerEpoch;
  return FIRST_EPOCH_SLOTS * (2n ** epoch - 1n);
}

export function lastSlotOf(schedule: EpochSchedule, epoch: bigint): bigint {
  return firstSlotOf(schedule, epoch + 1n) - 1n;
}
