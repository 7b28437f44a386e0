import { createEndpointPool } from '@sluice/rpc-pool';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { Config } from '../../config/config.ts';
import { isCodedError } from '../../errors/sluice-error.ts';

/** One RPC or WebSocket endpoint, named by its position in the configuration. */
export interface Target {
  readonly name: string;
  readonly url: string;
}

export type Outcome<T> =
  | { readonly answered: true; readonly value: T }
  /** `reason` is safe to print: our own text, or the endpoint's without secrets. */
  | { readonly answered: false; readonly reason: string };

/** One retry, so that a single failure does not count. */
const ATTEMPTS = 2;

/** Calls one endpoint through a new pool, so that a refused call does not open its circuit for the next one. */
export async function ask<T>(
  { url }: Target,
  config: Config,
  call: (rpc: Rpc<SolanaRpcApi>) => Promise<T>,
): Promise<Outcome<T>> {
  const pool = createEndpointPool({
    urls: [url],
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxAttempts: ATTEMPTS,
    maxConcurrencyPerEndpoint: config.RPC_CONCURRENCY,
  });
  try {
    return { answered: true, value: await call(pool.rpc) };
  } catch (error) {
    return { answered: false, reason: reasonOf(error) };
  } finally {
    await pool.close();
  }
}

/** Why a call failed, in a few words. */
export function reasonOf(error: unknown): string {
  if (isCodedError(error, 'RPC_REFUSED')) {
    const { rpcCode, rpcMessage } = error.context;
    return rpcMessage === '' ? `error ${rpcCode}` : `error ${rpcCode}, "${rpcMessage}"`;
  }
  if (isCodedError(error, 'RPC_TIMEOUT')) return `no answer in ${error.context.timeoutMs} ms`;
  if (isCodedError(error, 'RPC_BAD_RESPONSE')) return error.context.reason;
  if (isCodedError(error)) return lastAttempt(error.cause) ?? error.code;
  return 'an unexpected answer';
}

/** The pool lists its attempts in the cause, each as `rpc-1: reason`. */
function lastAttempt(cause: unknown): string | undefined {
  return cause instanceof Error
    ? cause.message
        .split('; ')
        .at(-1)
        ?.replace(/^rpc-\d+: /, '')
    : undefined;
}
