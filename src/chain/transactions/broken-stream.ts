/** Why a stream of transactions cannot be followed any further. */
export type BrokenReason =
  /** No block for some seconds. */
  | 'STALLED'
  /** More is waiting for its block than may be held. */
  | 'FLOOD'
  /** Slots are missing between two blocks. */
  | 'GAP'
  /** Two final blocks exclude each other. */
  | 'FORK'
  /** A transaction or a block lacks what every one has. */
  | 'MALFORMED'
  /** A block is not the one that the RPC has in its slot. */
  | 'CONTRADICTS_RPC'
  /** The RPC has not finalized a block that the stream calls final. */
  | 'NOT_FINAL'
  /** The server ended the stream without an error. */
  | 'ENDED';

export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
  readonly reason: BrokenReason;

  constructor(reason: BrokenReason, detail: string) {
    super(`The stream of transactions failed (${reason}): ${detail}.`);
    this.reason = reason;
  }
}
