import type { Json } from './json.ts';
import type { Params } from './params.ts';
import { invalidParams, invalidRequest, RPC_CODES, RpcError } from './rpc-error.ts';

/** The id of a request. */
export type RequestId = string | number | null;

/** One JSON-RPC request. Without an id it is a notification, which gets no response. */
export interface RpcRequest {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Params;
}

/** A message that is not a valid request, with the id for its error. */
export interface Malformed {
  readonly id: RequestId;
  readonly error: RpcError;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError(RPC_CODES.parseError, 'Parse error');
  }
}

export function parseRequest(value: unknown): RpcRequest | Malformed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { id: null, error: invalidRequest() };
  }
  const { jsonrpc, id, method, params } = value as Readonly<Record<string, unknown>>;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    return { id: null, error: invalidRequest() };
  }
  if (jsonrpc !== '2.0' || typeof method !== 'string') return { id: id ?? null, error: invalidRequest() };
  if (params === undefined || params === null) return { id, method, params: [] };
  if (!Array.isArray(params)) {
    return { id: id ?? null, error: invalidParams('Invalid params: expected positional parameters.') };
  }
  return { id, method, params };
}

export function resultResponse(id: RequestId, result: Json): Json {
  return { jsonrpc: '2.0', result, id };
}

export function errorResponse(id: RequestId, error: unknown): Json {
  const known = error instanceof RpcError ? error : new RpcError(RPC_CODES.internal, 'Internal error');
  return { jsonrpc: '2.0', error: known.toJson(), id };
}
