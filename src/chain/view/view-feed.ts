import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { ErrorCode } from '../../errors/codes.ts';
import type { View } from './view.ts';
import type { ViewStore } from './view-store.ts';
import type { ViewUpdate } from './view-update.ts';

/**
 * - `reader`: reads the chain for all gateways that share its Views.
 * - `follower`: serves the Views of the reader.
 * - `standalone`: reads the chain for itself.
 */
export type ChainRole = 'reader' | 'follower' | 'standalone';

/** Progress of the Views that were served elsewhere. Views built from here on never go back before it. */
export interface ReadFrom {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** The highest slot of anything that was read. */
  readonly highestSlot: bigint;
}

/** Slot and time that another process claims to have read. */
export interface SharedClaim {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** The chain as a feed drives it. */
export interface FedChain {
  readonly views: ViewStore;
  readonly programs: ProgramIds;
  /** Code of the last failed read; null while reads succeed. */
  readonly lastError: ErrorCode | null;
  /** Times that Views were discarded because their slot was false. */
  readonly timesDiscarded: number;
  /** Whether the slot of its Views is the word of other processes alone, because no endpoint of ours has answered yet. */
  readonly isUnchecked: boolean;
  /** Begins to read the chain, and builds Views under ids that no other process has used. */
  startReading(from: ReadFrom): void;
  /** Stops reading. No View of our own is served after that. */
  stopReading(): Promise<void>;
  /** Serves a View that another process built. Returns it. */
  adopt(update: ViewUpdate): View;
  /** Reads until the View has reached the slot. Rejects when the signal is aborted first. */
  reach(slot: bigint, signal: AbortSignal): Promise<View>;
  /** The slot at which the chain can be read now. Rejects when it cannot be read. */
  probe(signal: AbortSignal): Promise<bigint>;
  /** Whether slot and time (Unix seconds) of a View can be true, by elapsed time and by our own endpoints. */
  believes(claim: SharedClaim, signal: AbortSignal): Promise<boolean>;
  /** Compares the newest slot with our own endpoints, and drops Views of slots that they show to be false. */
  review(signal: AbortSignal): Promise<void>;
}

/** Views shared with other processes. It decides who reads the chain. */
export interface ViewFeed {
  readonly role: ChainRole;
  /** Longest time for a View served by another process to arrive here, in milliseconds; 0 while none are shared. */
  readonly arrivalMs: number;
  start(): void;
  stop(): Promise<void>;
  /** Called with every View of our own before it is served. False: it must not be served. */
  admit(view: View): Promise<boolean>;
  /** Called after every failed read of our own. */
  readFailed(): void;
  /** Asks the reader for a View that has reached the slot. */
  ask(slot: bigint): void;
}
