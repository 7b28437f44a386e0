export const SLOTS_PER_EPOCH = 432_000n;
