import type { GetBlockTimeApi, GetEpochScheduleApi, Rpc } from '@solana/kit';
import { type EpochSchedule, epochAt, firstSlotOf, lastSlotOf } from '../../domain/epochs.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { deadlineSignal } from '../../node/deadline.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';

export type EpochRpc = Rpc<GetEpochScheduleApi & GetBlockTimeApi>;

/** An epoch that is over. */
export interface CompletedEpoch {
  readonly epoch: bigint;
  readonly firstSlot: bigint;
  readonly lastSlot: bigint;
  /** Times of its first and last block. */
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** The newest completed epochs are listed, at most this many. */
const MAX_EPOCHS = 20;
/** JSON-RPC errors for a slot without a block, and for a block that the node does not have. */
const SKIPPED = new Set([-32007, -32009]);
const NOT_RETAINED = new Set([-32001, -32004, -32011, -32014]);
/** An epoch that begins or ends with more empty slots than this has no known time. */
const MAX_SKIPPED = 32n;

/** The epochs of the cluster. They do not change, so each is read once for all requests. */
export class ChainEpochs {
  readonly #rpc: EpochRpc;
  readonly #timeoutMs: number;
  #schedule: Promise<EpochSchedule> | null = null;
  readonly #known = new Map<bigint, CompletedEpoch>();
  #listed: { readonly current: bigint; readonly epochs: Promise<readonly CompletedEpoch[]> } | null = null;

  /** @param timeoutMs limit of a read that requests share */
  constructor(rpc: EpochRpc, timeoutMs: number) {
    this.#rpc = rpc;
    this.#timeoutMs = timeoutMs;
  }

  /** Division of slots into epochs. A request that gives up does not abort the read for the others. */
  schedule(signal: AbortSignal): Promise<EpochSchedule> {
    this.#schedule ??= this.#beginSchedule();
    return unlessAborted(this.#schedule, signal);
  }

  /**
   * The newest epochs that were over at a slot, newest first, back to the oldest whose blocks an endpoint has. The same
   * list until the next epoch.
   */
  async completedAt(slot: bigint, signal: AbortSignal): Promise<readonly CompletedEpoch[]> {
    const schedule = await this.schedule(signal);
    const current = epochAt(schedule, slot);
    if (this.#listed?.current !== current)
      this.#listed = { current, epochs: this.#beginList(schedule, current) };
    return await unlessAborted(this.#listed.epochs, signal);
  }

  #beginSchedule(): Promise<EpochSchedule> {
    const reading = this.#readSchedule();
    // The next request repeats a failed read.
    reading.catch(() => {
      this.#schedule = null;
    });
    return reading;
  }

  #beginList(schedule: EpochSchedule, current: bigint): Promise<readonly CompletedEpoch[]> {
    const reading = this.#readEpochs(schedule, current);
    reading.catch(() => {
      if (this.#listed?.current === current) this.#listed = null;
    });
    return reading;
  }

  async #readSchedule(): Promise<EpochSchedule> {
    using deadline = deadlineSignal(this.#timeoutMs, 'Reading the epoch schedule');
    const { slotsPerEpoch, firstNormalEpoch, firstNormalSlot } = await this.#rpc
      .getEpochSchedule()
      .send({ abortSignal: deadline.signal });
    return {
      slotsPerEpoch: BigInt(slotsPerEpoch),
      firstNormalEpoch: BigInt(firstNormalEpoch),
      firstNormalSlot: BigInt(firstNormalSlot),
    };
  }

  async #readEpochs(schedule: EpochSchedule, current: bigint): Promise<readonly CompletedEpoch[]> {
    const epochs: CompletedEpoch[] = [];
    // One after the other: a node that lacks an epoch lacks all before it.
    for (let epoch = current - 1n; epoch >= 0n && epochs.length < MAX_EPOCHS; epoch -= 1n) {
      const read = this.#known.get(epoch) ?? (await this.#readEpoch(schedule, epoch));
      if (read === null) break;
      this.#known.set(epoch, read);
      epochs.push(read);
    }
    return epochs;
  }

  async #readEpoch(schedule: EpochSchedule, epoch: bigint): Promise<CompletedEpoch | null> {
    using deadline = deadlineSignal(this.#timeoutMs, 'Reading block times');
    const [firstSlot, lastSlot] = [firstSlotOf(schedule, epoch), lastSlotOf(schedule, epoch)];
    const [startedAt, endedAt] = await Promise.all([
      this.#blockTime(firstSlot, 1n, deadline.signal),
      this.#blockTime(lastSlot, -1n, deadline.signal),
    ]);
    return startedAt && endedAt && { epoch, firstSlot, lastSlot, startedAt, endedAt };
  }

  /** The time of the block of a slot, or of the next one in the direction; null when the endpoints do not know it. */
  async #blockTime(from: bigint, direction: 1n | -1n, signal: AbortSignal): Promise<Date | null> {
    for (let skipped = 0n; skipped <= MAX_SKIPPED; skipped += 1n) {
      try {
        const time = await this.#rpc.getBlockTime(from + direction * skipped).send({ abortSignal: signal });
        // Nodes answer null for a block without a time.
        return typeof time === 'bigint' ? new Date(Number(time) * 1_000) : null;
      } catch (error) {
        if (!isCodedError(error, 'RPC_REFUSED')) throw error;
        if (NOT_RETAINED.has(error.context.rpcCode)) return null;
        if (!SKIPPED.has(error.context.rpcCode)) throw error;
      }
    }
    return null;
  }
}
