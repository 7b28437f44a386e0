/** The values that each message needs. None of them is a URL or text that could contain one. */
export type RpcErrorContext = {
  RPC_UNAVAILABLE: { method: string; attempts: number };
  RPC_RATE_LIMITED: { method: string };
  RPC_TIMEOUT: { method: string; timeoutMs: number };
  RPC_BAD_RESPONSE: { method: string; reason: string };
  /** The RPC understood the request and rejected it. `rpcData` is the `data` of its error, for our own use. */
  RPC_REFUSED: { method: string; rpcCode: number; rpcMessage: string; rpcData?: unknown };
  REQUEST_CANCELLED: { what: string };
};

/** Codes are never renamed or reused. */
export type RpcErrorCode = keyof RpcErrorContext;

export const RPC_MESSAGES: { readonly [C in RpcErrorCode]: (context: RpcErrorContext[C]) => string } = {
  RPC_UNAVAILABLE: (c) =>
    c.attempts === 0
      ? `No RPC endpoint is available for ${c.method}: all of them failed recently. Try again shortly.`
      : `No RPC endpoint answered ${c.method} in ${c.attempts} attempts. Try again shortly.`,
  RPC_RATE_LIMITED: (c) =>
    `The RPC endpoints are rate-limiting the gateway on ${c.method}. Your own limit is unaffected. Try again shortly.`,
  RPC_TIMEOUT: (c) => `The RPC did not answer ${c.method} within ${c.timeoutMs} ms. Try again shortly.`,
  RPC_BAD_RESPONSE: (c) =>
    `The RPC returned an unusable response to ${c.method}: ${c.reason}. Try again shortly.`,
  RPC_REFUSED: (c) => `The RPC rejected ${c.method}: ${c.rpcMessage} (${c.rpcCode}).`,
  REQUEST_CANCELLED: (c) => `${c.what} was cancelled by the caller.`,
};

/** A call that failed: a code and the context of its message. */
export class RpcError<C extends RpcErrorCode = RpcErrorCode> extends Error {
  override readonly name = 'RpcError';
  readonly code: C;
  readonly context: RpcErrorContext[C];

  constructor(code: C, context: RpcErrorContext[C], options: { cause?: unknown } = {}) {
    super(RPC_MESSAGES[code](context), options);
    this.code = code;
    this.context = context;
  }
}

/**
 * Narrows an unknown error, optionally to one code.
 *
 * @example
 * if (isRpcError(error, 'RPC_RATE_LIMITED')) await delay(1_000);
 */
export function isRpcError<C extends RpcErrorCode = RpcErrorCode>(
  error: unknown,
  code?: C,
): error is RpcError<C> {
  return error instanceof RpcError && (code === undefined || error.code === code);
}
