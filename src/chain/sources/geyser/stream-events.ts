import type { StreamFaultReason } from './stream-fault.ts';

/** What happens to the stream, for logs and metrics. Endpoints go by their place in the settings, `geyser-1`. */
export type StreamEvent =
  /** All accounts of the catalogue are delivered from here on. */
  | { readonly type: 'CONNECTED'; readonly endpoint: string; readonly slot: bigint }
  /** Goes on where it ended; nothing was missed. */
  | { readonly type: 'RESUMED'; readonly endpoint: string; readonly slot: bigint }
  /** All positions have been loaded. */
  | { readonly type: 'LOADED'; readonly accounts: number }
  /** Loading positions failed and is tried again. */
  | { readonly type: 'LOAD_FAILED'; readonly error: unknown }
  /** Random accounts were compared with the RPC. */
  | { readonly type: 'CHECKED'; readonly outcome: 'agreed' | 'contradicted' }
  | { readonly type: 'CHECKED'; readonly outcome: 'failed'; readonly error: unknown }
  /** A connection ended. The stream may still be resumed. */
  | {
      readonly type: 'INTERRUPTED';
      readonly endpoint: string;
      readonly reason: StreamFaultReason;
      readonly error: unknown;
    }
  /** Views are polled, and everything has to be loaded again. */
  | { readonly type: 'LOST'; readonly reason: StreamFaultReason };

export type StreamStatus =
  /** Nothing was delivered yet, or not any more: Views are polled. */
  | 'disconnected'
  /** The catalogue is delivered; positions are being loaded. */
  | 'loading'
  | 'streaming'
  /** The connection ended and is being resumed. Views wait for it for some seconds. */
  | 'resuming';

/** For `/ready` and metrics. */
export interface StreamState {
  readonly status: StreamStatus;
  /** The endpoint in use; null while there is none. */
  readonly endpoint: string | null;
  /** The newest slot that was delivered; null before the first. */
  readonly slot: bigint | null;
  /** From the server's sending of that slot to its arrival in Views; null before the first. */
  readonly lagMs: number | null;
  /** Times that everything had to be loaded again. */
  readonly reloads: number;
  /** Reason of the last of them, or of the connection that ended last; null when there is none. */
  readonly lastFault: StreamFaultReason | null;
}
