import type { Json } from './json.ts';

/** The JSON-RPC and Solana node error codes that this server uses. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  blockCleanedUp: -32001,
  preflightFailure: -32002,
  signatureVerificationFailure: -32003,
  blockNotAvailable: -32004,
  nodeUnhealthy: -32005,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
  /** Sent by public endpoints, which limit the requests of a client. */
  tooManyRequests: 429,
} as const;

/** An error with the same code and text as a node's; clients match on both. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }

  toJson(): Json {
    return { code: this.code, message: this.message, data: this.data };
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}

export function methodNotFound(): RpcError {
  return new RpcError(RPC_CODES.methodNotFound, 'Method not found');
}

export function invalidRequest(): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, 'Invalid request');
}
