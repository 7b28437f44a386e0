import type { LocalChain } from '../../chain.ts';
import { SLOTS_PER_EPOCH } from '../../runtime/epoch.ts';
import { type Call, checkMinContextSlot, type Methods, withContext } from '../call.ts';
import { addressParam, configParam, integerParam } from '../params.ts';
import { invalidParams, RPC_CODES, RpcError } from '../rpc-error.ts';

/** A performance sample covers this many slots, about a minute. */
const SLOTS_PER_SAMPLE = 150n;
const MAX_SAMPLES = 720;

export const blockMethods: Methods = {
  getSlot(call, params) {
    checkMinContextSlot(call, configParam(params, 0));
    return call.slot;
  },

  getBlockHeight(call, params) {
    checkMinContextSlot(call, configParam(params, 0));
    return call.blockHeight;
  },

  getBlockTime(call, params) {
    return blockTimeOf(call, BigInt(integerParam(params, 0)));
  },

  getFirstAvailableBlock: (call) => firstSlot(call.chain),
  minimumLedgerSlot: (call) => firstSlot(call.chain),

  getLatestBlockhash(call, params) {
    checkMinContextSlot(call, configParam(params, 0));
    const { blockhash, lastValidBlockHeight } = call.chain.blockhash();
    return withContext(call, { blockhash, lastValidBlockHeight });
  },

  isBlockhashValid(call, params) {
    // A blockhash has the format of an address.
    const blockhash = addressParam(params, 0);
    checkMinContextSlot(call, configParam(params, 1));
    return withContext(call, call.chain.isBlockhashValid(blockhash));
  },

  getEpochInfo(call, params) {
    checkMinContextSlot(call, configParam(params, 0));
    return {
      absoluteSlot: call.slot,
      blockHeight: call.blockHeight,
      epoch: call.slot / SLOTS_PER_EPOCH,
      slotIndex: call.slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      // The chain does not count transactions.
      transactionCount: null,
    };
  },

  getEpochSchedule: () => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    slotsPerEpoch: SLOTS_PER_EPOCH,
    warmup: false,
  }),

  /** Newest first. The chain does not count transactions, so they are zero. */
  getRecentPerformanceSamples(call, params) {
    const limit = params[0] === undefined || params[0] === null ? MAX_SAMPLES : integerParam(params, 0);
    if (limit > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
    const samples = [];
    for (let slot = call.slot; samples.length < limit; slot -= SLOTS_PER_SAMPLE) {
      const end = call.chain.blockTime(slot);
      const start = slot < SLOTS_PER_SAMPLE ? null : call.chain.blockTime(slot - SLOTS_PER_SAMPLE);
      if (end === null || start === null) break;
      samples.push({
        numNonVoteTransactions: 0,
        numSlots: SLOTS_PER_SAMPLE,
        numTransactions: 0,
        samplePeriodSecs: end - start,
        slot,
      });
    }
    return samples;
  },
};

/** Unix seconds. Throws for a slot without a block. */
export function blockTimeOf(call: Call, slot: bigint): number {
  const time = call.chain.blockTime(slot);
  if (time !== null) return time;
  if (slot > call.slot) {
    throw new RpcError(RPC_CODES.blockNotAvailable, `Block not available for slot ${slot}`);
  }
  throw new RpcError(
    RPC_CODES.blockCleanedUp,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${firstSlot(call.chain)}`,
  );
}

/** The oldest slot with a block time, found by bisection because every later slot has one too. */
function firstSlot(chain: LocalChain): bigint {
  let low = 0n;
  let high = chain.slot;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (chain.blockTime(middle) === null) low = middle + 1n;
    else high = middle;
  }
  return low;
}
