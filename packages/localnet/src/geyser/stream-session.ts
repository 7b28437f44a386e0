import {
  GeyserError,
  GrpcStatus,
  type ReceivedRequest,
  SlotStatus,
  type SubscribeCall,
  type SubscribeUpdateInput,
} from '@sluice/geyser';
import type { ChainTransaction, StreamableChain } from '../chain.ts';
import type { GeyserFaults } from './faults.ts';
import type { AccountWrite, SlotRecord } from './slot-record.ts';
import type { SlotListener, SlotRecorder } from './slot-recorder.ts';
import { Subscription } from './subscription.ts';
import {
  accountUpdates,
  blockMetaUpdates,
  contentUpdates,
  slotUpdates,
  transactionUpdates,
} from './updates.ts';

/** A client with this much unread data is disconnected, to bound memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const BEGIN = [SlotStatus.FIRST_SHRED_RECEIVED, SlotStatus.CREATED_BANK];
/** Without forks every slot is final when it ends. */
const END = [SlotStatus.COMPLETED, SlotStatus.PROCESSED, SlotStatus.CONFIRMED, SlotStatus.FINALIZED];

export interface SessionContext {
  readonly chain: StreamableChain;
  readonly recorder: SlotRecorder;
  readonly faults: GeyserFaults;
  readonly replaySlots: number;
}

/** One stream of a client. */
export class StreamSession implements SlotListener {
  readonly #call: SubscribeCall;
  readonly #context: SessionContext;
  #subscription: Subscription | null = null;
  /** Held back by a stall. */
  #held: SubscribeUpdateInput[] = [];
  /** Updates of the open slot, when they are to be reordered. */
  #slot: SubscribeUpdateInput[] = [];

  constructor(call: SubscribeCall, context: SessionContext) {
    this.#call = call;
    this.#context = context;
  }

  /** Throws a GeyserError, which ends the stream. */
  receive(request: ReceivedRequest): void {
    if (request.ping !== null) {
      this.#send([{ pong: { id: request.ping.id } }]);
      return;
    }
    const subscription = new Subscription(request);
    if (request.fromSlot !== null) this.#replay(subscription, request.fromSlot);
    this.#subscription = subscription;
  }

  ping(): void {
    this.#send([{ ping: {} }]);
  }

  begun(record: SlotRecord): void {
    this.#deliver((subscription) => slotUpdates(subscription, record, BEGIN));
  }

  written(record: SlotRecord, write: AccountWrite): void {
    this.#deliver((subscription) =>
      subscription.isImmediate ? accountUpdates(subscription, record, write) : [],
    );
  }

  executed(record: SlotRecord, transaction: ChainTransaction): void {
    this.#deliver((subscription) =>
      subscription.isImmediate ? transactionUpdates(subscription, record, transaction) : [],
    );
  }

  ended(record: SlotRecord): void {
    this.#deliver((subscription) => [
      ...(subscription.isImmediate ? [] : contentUpdates(subscription, record)),
      ...this.#endOf(subscription, record),
    ]);
    this.#endSlot();
  }

  died(record: SlotRecord, isAnnounced: boolean): void {
    this.#deliver((subscription) => [
      ...(subscription.isImmediate ? blockMetaUpdates(subscription, this.#context.chain, record) : []),
      ...slotUpdates(subscription, record, [SlotStatus.COMPLETED, SlotStatus.PROCESSED]),
      ...(isAnnounced ? slotUpdates(subscription, record, [SlotStatus.DEAD]) : []),
    ]);
    this.#endSlot();
  }

  /** Sends a write of a slot that has ended. */
  writtenLate(record: SlotRecord, write: AccountWrite): void {
    if (this.#subscription !== null) this.#send(accountUpdates(this.#subscription, record, write));
  }

  end(status: GrpcStatus, message: string): void {
    this.#call.end(status, message);
  }

  /** Sends what a stall held back. */
  release(): void {
    this.#send(this.#held.splice(0));
  }

  #replay(subscription: Subscription, fromSlot: bigint): void {
    const { recorder, replaySlots } = this.#context;
    if (replaySlots === 0) throw new GeyserError(GrpcStatus.INTERNAL, 'from_slot is not supported');
    const first = recorder.firstAvailable;
    if (fromSlot < first) {
      const text = `broadcast from ${fromSlot} is not available, last available: ${first}`;
      throw new GeyserError(GrpcStatus.OUT_OF_RANGE, text);
    }
    const records = recorder.records.filter(({ slot }) => slot >= fromSlot);
    const newest = records.at(-1);
    if (newest === undefined) throw new GeyserError(GrpcStatus.INTERNAL, 'failed to get replay response');
    // The seam: a node goes live with the slot that it replayed last.
    for (const record of [...records, newest]) {
      this.#send(contentUpdates(subscription, record));
      this.#send(this.#endOf(subscription, record));
    }
    const { open } = recorder;
    if (open !== null && subscription.isImmediate) this.#send(contentUpdates(subscription, open));
  }

  #endOf(subscription: Subscription, record: SlotRecord): SubscribeUpdateInput[] {
    return [
      ...blockMetaUpdates(subscription, this.#context.chain, record),
      ...slotUpdates(subscription, record, END),
    ];
  }

  #deliver(updatesFor: (subscription: Subscription) => SubscribeUpdateInput[]): void {
    if (this.#subscription === null) return;
    const updates = updatesFor(this.#subscription);
    if (this.#context.faults.isReordered) this.#slot.push(...updates);
    else this.#send(updates);
  }

  #endSlot(): void {
    this.#send(this.#slot.splice(0).reverse());
  }

  #send(updates: readonly SubscribeUpdateInput[]): void {
    const { faults } = this.#context;
    if (faults.isStalled) {
      this.#held.push(...updates);
      return;
    }
    const now = Date.now();
    const createdAt = { seconds: BigInt(Math.floor(now / 1_000)), nanos: (now % 1_000) * 1_000_000 };
    for (const update of updates.flatMap((each) => faults.applied(each))) {
      this.#call.send({ ...update, createdAt });
    }
    if (this.#call.bufferedBytes > MAX_UNREAD_BYTES) {
      this.#call.end(GrpcStatus.INTERNAL, 'lagged: the client reads too slowly');
    }
  }
}
