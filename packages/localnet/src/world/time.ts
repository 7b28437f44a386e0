/** The chain has a fixed genesis, so a slot is a function of time alone. */
const GENESIS_MS = Date.UTC(2022, 0, 1);
export const GENESIS_SLOT = 114_000_000n;
export const SLOTS_PER_DAY = 216_000n;
const DAY_MS = 86_400_000;
/** Slots without a block. */
const SKIPPED_SLOTS = 21_600_000n;

/** The length of slots varies, as on a real cluster. Each minute begins with short ones; the average is 400 ms. */
const MINUTE_MS = 60_000;
const SHORT_SLOTS = 50;
export const SHORT_SLOT_MS = 250;
const LONG_SLOTS = 100;
const LONG_SLOT_MS = 475;
const SHORT_PART_MS = SHORT_SLOTS * SHORT_SLOT_MS;
const SLOTS_PER_MINUTE = SHORT_SLOTS + LONG_SLOTS;

/** The newest slot that has started at a time (unix milliseconds). */
export function slotAt(ms: number): bigint {
  const since = Math.max(0, ms - GENESIS_MS);
  const inMinute = since % MINUTE_MS;
  const slots =
    inMinute < SHORT_PART_MS
      ? Math.floor(inMinute / SHORT_SLOT_MS)
      : SHORT_SLOTS + Math.floor((inMinute - SHORT_PART_MS) / LONG_SLOT_MS);
  return GENESIS_SLOT + BigInt(Math.floor(since / MINUTE_MS) * SLOTS_PER_MINUTE + slots);
}

/** Unix milliseconds of a slot's start. */
export function startOf(slot: bigint): number {
  const slots = Number(slot - GENESIS_SLOT);
  const minute = Math.floor(slots / SLOTS_PER_MINUTE);
  const inMinute = slots - minute * SLOTS_PER_MINUTE;
  const longSlots = Math.max(0, inMinute - SHORT_SLOTS);
  const ms = (inMinute - longSlots) * SHORT_SLOT_MS + longSlots * LONG_SLOT_MS;
  return GENESIS_MS + minute * MINUTE_MS + ms;
}

/** Unix seconds of a slot's start. */
export function timeOf(slot: bigint): number {
  return Math.floor(startOf(slot) / 1000);
}

export function blockHeightOf(slot: bigint): bigint {
  return slot - SKIPPED_SLOTS;
}

/** Midnight (UTC) of the day, until when the past is generated in full. All starts on one day share it. */
export function dayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}
