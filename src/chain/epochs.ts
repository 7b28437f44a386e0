import type { GetEpochScheduleApi, Rpc } from '@solana/kit';
import type { EpochSchedule } from '../domain/epochs.ts';
import { unlessAborted } from '../node/unless-aborted.ts';
import { deadlineSignal } from './rpc/deadline.ts';

export type EpochRpc = Rpc<GetEpochScheduleApi>;

/** The epochs of the cluster. What never changes is read once for all requests. */
export class ChainEpochs {
  readonly #rpc: EpochRpc;
  readonly #timeoutMs: number;
  #schedule: Promise<EpochSchedule> | null = null;

  /** @param timeoutMs limit of a read that requests share */
  constructor(rpc: EpochRpc, timeoutMs: number) {
    this.#rpc = rpc;
    this.#timeoutMs = timeoutMs;
  }

  /** How slots are divided into epochs. A request that gives up does not abort the read for the others. */
  schedule(signal: AbortSignal): Promise<EpochSchedule> {
    this.#schedule ??= this.#beginSchedule();
    return unlessAborted(this.#schedule, signal);
  }

  #beginSchedule(): Promise<EpochSchedule> {
    const reading = this.#readSchedule();
    // The next request repeats a failed read.
    reading.catch(() => {
      this.#schedule = null;
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
}
