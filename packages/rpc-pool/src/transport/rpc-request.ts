import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { isJsonRpcPayload } from '@solana/kit';
import { stringifyExactJson } from './exact-json.ts';

/** A JSON-RPC request, serialised once for all attempts. */
export interface RpcRequest {
  readonly id: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly body: string;
}

/** Reads the payload that kit hands to a transport. */
export function toRpcRequest(payload: unknown): RpcRequest {
  if (!isJsonRpcPayload(payload) || !('id' in payload)) throw new TypeError('no JSON-RPC request with an id');
  const { id, method, params } = payload;
  return {
    id: String(id),
    method,
    params: Array.isArray(params) ? params : [],
    body: stringifyExactJson(payload),
  };
}

/** Probes an endpoint. */
export const SLOT_REQUEST: RpcRequest = toRpcRequest({
  jsonrpc: '2.0',
  id: 'slot',
  method: 'getSlot',
  params: [{ commitment: 'confirmed' }],
});

/** Asks an endpoint for the slot and time of the chain. */
export const CLOCK_REQUEST: RpcRequest = toRpcRequest({
  jsonrpc: '2.0',
  id: 'clock',
  method: 'getMultipleAccounts',
  params: [[CLOCK_SYSVAR], { commitment: 'confirmed', encoding: 'base64' }],
});

/** Answers from before this slot are of no use; 0 when any slot will do. */
export function minContextSlotOf({ params }: RpcRequest): number {
  const config = params.at(-1);
  const isGiven = typeof config === 'object' && config !== null && 'minContextSlot' in config;
  return isGiven ? Number(config.minContextSlot ?? 0) : 0;
}

/** The same request, to be answered from a slot on. */
export function notBeforeSlot(request: RpcRequest, slot: number): RpcRequest {
  const { id, method, params } = request;
  const config = params.at(-1);
  const options = typeof config === 'object' ? config : {};
  const later = [...params.slice(0, -1), { ...options, minContextSlot: slot }];
  return toRpcRequest({ jsonrpc: '2.0', id, method, params: later });
}

/** Methods that return many accounts, and the index of the config among their parameters. */
const ACCOUNT_METHODS: ReadonlyMap<unknown, number> = new Map([
  ['getMultipleAccounts', 1],
  ['getProgramAccounts', 1],
  ['getTokenAccountsByOwner', 2],
]);

/** Whether accounts are requested as base64, so that the only numbers in the answer are account metadata. */
export function asksForEncodedAccounts(method: unknown, params: readonly unknown[]): boolean {
  const place = ACCOUNT_METHODS.get(method);
  const config = place === undefined ? undefined : params[place];
  return (
    typeof config === 'object' && config !== null && 'encoding' in config && config.encoding === 'base64'
  );
}
