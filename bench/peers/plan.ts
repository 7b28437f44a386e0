import type { Tolerance } from './facts.ts';

/** Sizes, durations and repetitions of a run. */
export interface Plan {
  /** 5 is about the size of mainnet: 160 vaults, 360 reserves. */
  readonly scale: number;
  readonly coldRounds: number;
  readonly warmSeconds: number;
  readonly loadSeconds: number;
  readonly loadRounds: number;
  readonly connections: readonly number[];
  /** Number of wallets, each read once. */
  readonly wallets: { readonly ours: number; readonly cached: number; readonly fresh: number };
}

export const FULL: Plan = {
  scale: 5,
  coldRounds: 7,
  warmSeconds: 1,
  loadSeconds: 1.5,
  loadRounds: 2,
  connections: [1, 16, 64],
  wallets: { ours: 200, cached: 40, fresh: 8 },
};

export const QUICK: Plan = {
  scale: 2,
  coldRounds: 1,
  warmSeconds: 0.3,
  loadSeconds: 0.4,
  loadRounds: 1,
  connections: [1, 16],
  wallets: { ours: 20, cached: 8, fresh: 3 },
};

/** Latency of the slow RPC and of a remote client. */
export const LATENCY_MS = 25;
/** The SDK computes yields in binary floating point; those near zero have few correct digits. */
export const SDK_TOLERANCE: Tolerance = { relative: 1e-6, absolute: 1e-7 };
