import type { ChainAccount } from '../accounts/account-page.ts';
import type { PositionAccount, PositionChange } from '../positions/position-kinds.ts';
import type { Kind } from './kinds.ts';

/** Slot and time of the chain's clock. */
export interface DeliveredMoment {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
}

/** Takes what sources deliver. */
export interface AccountSink {
  /**
   * Adds an account that has changed to the next View. Without lamports it is gone if a stream of all accounts says so;
   * empty data from another source: it may be gone.
   */
  announce(kind: Kind, account: ChainAccount): void;
  /**
   * Everything up to this slot has been announced: the next View is of this moment unless it reads later accounts. Called
   * without a pause after the announcements of the slot.
   */
  slotDelivered(moment: DeliveredMoment): void;
  /**
   * Takes all positions as of a slot in place of those held; Views have positions from the next one on. Changes that arrive
   * in the meantime are applied after it, those of earlier slots are dropped.
   */
  positionsLoaded(
    slot: bigint,
    accounts: Iterable<PositionAccount> | AsyncIterable<PositionAccount>,
  ): Promise<void>;
  /** Goes into the next View, in the order of the calls. */
  positionChanged(change: PositionChange): void;
  /** The source can no longer vouch for them: later Views have none until they are loaded again. */
  positionsLost(): void;
  /** Serves a View of this slot or later when it has been delivered, though nothing may have changed. */
  refreshNow(slot: bigint): void;
  /** Starts the next refresh now and reads everything, because changes may have been missed. */
  refreshAllNow(): void;
  /** Called when a source that announces kinds has connected or disconnected. */
  connectionChanged(): void;
  /** Reads what is due and serves a View of that and of what was announced. False when that failed; the failure is reported. */
  refresh(signal: AbortSignal): Promise<boolean>;
}

/** Where accounts come from: polling, a WebSocket, a stream. */
export interface AccountSource {
  /** Kinds of which it announces every change while it is connected, so that they need not be polled. */
  readonly kinds: readonly Kind[];
  /** Whether it delivers now. */
  readonly connected: boolean;
  /** Delivers to the sink until it is stopped. May be called again after that. */
  start(sink: AccountSink): void;
  stop(): Promise<void>;
  /** Refreshes now instead of when its timer fires. Absent: it has no timer. */
  refreshNow?(): void;
  /** Delivers everything again: the sink has dropped what it held. Absent: each refresh reads what is missing. */
  reload?(): void;
}
