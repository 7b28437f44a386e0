import { systemClock, type Clock as Timer } from '@sluice/rpc-pool';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';

/** Retries when an RPC is behind, with a pause that lets it catch up. */
const STALE_ATTEMPTS = 4;
const STALE_PAUSE_MS = 250;
/** JSON-RPC error: minimum context slot has not been reached. */
const SLOT_NOT_REACHED = -32016;

export interface MinSlotOptions {
  /** Answers from an earlier slot are rejected: state never goes back. */
  readonly minSlot: bigint;
  readonly signal: AbortSignal;
  readonly timer?: Timer;
}

/** Options of a call that let an RPC that is behind report it. */
export const minContextSlotConfig = (minSlot: bigint) => (minSlot > 0n ? { minContextSlot: minSlot } : {});

/** Reads until the answer is from the slot or later. @throws SluiceError MIN_SLOT_NOT_REACHED */
export async function readAtMinSlot<T>(
  { minSlot, signal, timer = systemClock }: MinSlotOptions,
  slotOf: (read: T) => bigint,
  read: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const given = await unlessBehind(read);
    if (given !== null && slotOf(given) >= minSlot) return given;
    if (attempt === STALE_ATTEMPTS) {
      const slot = given === null ? 'an earlier one' : String(slotOf(given));
      throw new SluiceError('MIN_SLOT_NOT_REACHED', { minSlot: String(minSlot), slot });
    }
    await timer.sleep(STALE_PAUSE_MS, signal);
  }
}

/** Null when the RPC reports that it is behind. */
async function unlessBehind<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isCodedError(error, 'RPC_REFUSED') && error.context.rpcCode === SLOT_NOT_REACHED) return null;
    throw error;
  }
}
