import type { Tolerance } from './facts.ts';

/** How long and how often each thing is measured. */
export interface Plan {
  /** 5 is about the size of mainnet: 160 vaults, 360 reserves. */
  readonly scale: number;
  readonly coldRounds: number;
  readonly warmSeconds: number;
  readonly loadSeconds: number;
  readonly loadRounds: number;
  readonly connections: readonly number[];
  /** How many wallets are asked for, each once. */
  readonly wallets: { readonly ours: number; readonly kept: number; readonly fresh: number };
}

export const FULL: Plan = {
  scale: 5,
  coldRounds: 7,
  warmSeconds: 1,
  loadSeconds: 1.5,
  loadRounds: 2,
  connections: [1, 16, 64],
  wallets: { ours: 200, kept: 40, fresh: 8 },
};

export const QUICK: Plan = {
  scale: 2,
  coldRounds: 1,
  warmSeconds: 0.3,
  loadSeconds: 0.4,
  loadRounds: 1,
  connections: [1, 16],
  wallets: { ours: 20, kept: 8, fresh: 3 },
};

/** Of the RPC, and of a client that is not beside the server. */
export const LATENCY_MS = 25;
/** The SDK computes yields in binary floating point; of those near zero few digits are right. */
export const SDK_TOLERANCE: Tolerance = { relative: 1e-6, absolute: 1e-7 };
