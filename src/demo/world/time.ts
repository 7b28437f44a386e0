/** The chain has a fixed genesis, so a slot is a function of time alone. */
const GENESIS_MS = Date.UTC(2022, 0, 1);
export const GENESIS_SLOT = 114_000_000n;
export const SLOT_MS = 400;
export const SLOTS_PER_DAY = 216_000n;
export const SLOTS_PER_EPOCH = 432_000n;
const DAY_MS = 86_400_000;
/** Slots without a block. */
const SKIPPED_SLOTS = 21_600_000n;

/** The newest slot that has started at a time (unix milliseconds). */
export function slotAt(ms: number): bigint {
  return GENESIS_SLOT + BigInt(Math.max(0, Math.floor((ms - GENESIS_MS) / SLOT_MS)));
}

/** Unix seconds of a slot's start. */
export function timeOf(slot: bigint): number {
  return Math.floor((GENESIS_MS + Number(slot - GENESIS_SLOT) * SLOT_MS) / 1000);
}

export function blockHeightOf(slot: bigint): bigint {
  return slot - SKIPPED_SLOTS;
}

/** Midnight (UTC) of the day, until when the past is generated in full. All starts on one day share it. */
export function dayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
