import { GeyserError, GrpcStatus } from '@sluice/geyser/errors';

/** Why a stream cannot be followed any further. */
export type StreamFaultReason =
  /** A block or a slot is not the one that was applied. */
  | 'EQUIVOCATION'
  /** A confirmed block does not continue the applied ones. */
  | 'FORK'
  /** More is waiting for its block than may be held. */
  | 'FLOOD'
  /** No slot was completed for some seconds. */
  | 'STALLED'
  /** A slot that the chain has not reached. */
  | 'IMPLAUSIBLE_SLOT'
  /** An account that does not match the filter that it is sent for. */
  | 'WRONG_ACCOUNT'
  /** Accounts differ from those of the RPC at the same slot. */
  | 'CONTRADICTS_RPC'
  /** The server no longer has the slots since the last one. */
  | 'OUT_OF_RANGE'
  /** Views were discarded because RPC endpoints had reported a false slot. */
  | 'VIEWS_DISCARDED'
  /** The connection or the call failed. */
  | 'DISCONNECTED';

/** What was delivered is false, so that an endpoint that does it is not used for some time. */
const FALSE: ReadonlySet<StreamFaultReason> = new Set([
  'FLOOD',
  'IMPLAUSIBLE_SLOT',
  'WRONG_ACCOUNT',
  'CONTRADICTS_RPC',
]);
/** What was applied cannot be continued. */
const BROKEN: ReadonlySet<StreamFaultReason> = new Set([
  ...FALSE,
  'EQUIVOCATION',
  'FORK',
  'OUT_OF_RANGE',
  'VIEWS_DISCARDED',
]);

export class StreamFault extends Error {
  override readonly name = 'StreamFault';
  readonly reason: StreamFaultReason;

  constructor(reason: StreamFaultReason, options?: ErrorOptions) {
    super(`The stream failed: ${reason}.`, options);
    this.reason = reason;
  }

  /** Whether the endpoint is to blame. */
  get isFalse(): boolean {
    return FALSE.has(this.reason);
  }

  /** Whether everything has to be loaded again; otherwise the stream may be continued where it ended. */
  get needsReload(): boolean {
    return BROKEN.has(this.reason);
  }
}

/** Replay is refused as an internal error where it is off or the slot is ahead of everything held. */
const NO_REPLAY = /from_slot|replay/i;

/** The fault of a connection that ended with an error. */
export function faultOf(error: unknown, isReplay: boolean): StreamFault {
  if (error instanceof StreamFault) return error;
  const isRefused =
    error instanceof GeyserError &&
    (error.status === GrpcStatus.OUT_OF_RANGE ||
      (error.status === GrpcStatus.INTERNAL && NO_REPLAY.test(error.message)));
  return new StreamFault(isReplay && isRefused ? 'OUT_OF_RANGE' : 'DISCONNECTED', { cause: error });
}
