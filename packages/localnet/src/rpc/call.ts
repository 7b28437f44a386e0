import type { LocalChain } from '../chain.ts';
import type { ChainControl } from './chain-control.ts';
import type { EncodingCache } from './encode-account.ts';
import type { Json } from './json.ts';
import { type Config, optionalInteger, type Params } from './params.ts';
import type { RateLimit } from './rate-limit.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import type { TokenIndex } from './token-index.ts';

/** The node version whose wire format this server follows. */
export const API_VERSION = '2.3.6';

/** The context of a method call. */
export interface Call {
  readonly chain: LocalChain;
  readonly tokens: TokenIndex;
  /** Null when accounts are encoded on every request. */
  readonly encodings: EncodingCache | null;
  /** Limit on transactions that clients send. */
  readonly sends: RateLimit;
  /** Null when clients may not control the chain. */
  readonly control: ChainControl | null;
  /** The slot to answer for. Differs from the newest slot only when a fault says so. */
  readonly slot: bigint;
  readonly blockHeight: bigint;
}

export type Method = (call: Call, params: Params) => Json;
export type Methods = Readonly<Record<string, Method>>;

export function withContext(call: Call, value: Json): Json {
  return { context: { apiVersion: API_VERSION, slot: call.slot }, value };
}

/** Throws when the client has already seen a newer slot than this answer would have. */
export function checkMinContextSlot(call: Call, config: Config): void {
  const wanted = optionalInteger(config, 'minContextSlot');
  if (wanted !== undefined && BigInt(wanted) > call.slot) {
    throw new RpcError(RPC_CODES.minContextSlotNotReached, 'Minimum context slot has not been reached', {
      contextSlot: call.slot,
    });
  }
}
