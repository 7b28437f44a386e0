import { BuildError } from './call-builder.ts';

/** Response of `POST /transactions`, and `SentTransaction` in GraphQL. */
export interface SentTransaction {
  readonly signature: string;
  readonly status: 'PENDING' | 'PROCESSED' | 'CONFIRMED' | 'FINALIZED' | 'FAILED' | 'REJECTED' | 'EXPIRED';
  /** Null while no block has it. */
  readonly slot: string | null;
  /** Null unless it failed, was rejected or has expired. */
  readonly error: {
    readonly programAddress: string | null;
    readonly code: number | null;
    readonly name: string | null;
    readonly message: string;
  } | null;
  readonly logs: readonly string[];
}

/** Sends a signed transaction through the gateway and waits until it is confirmed. Safe to repeat: it lands once. */
export async function sendThroughGateway(gatewayUrl: string, signed: string): Promise<SentTransaction> {
  const response = await fetch(new URL('/transactions', gatewayUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transaction: signed }),
  });
  if (response.ok) return (await response.json()) as SentTransaction;
  const { message, code } = (await response.json()) as { message: string; code?: string };
  const retryAfter = response.headers.get('retry-after');
  throw new BuildError(message, code, retryAfter === null ? undefined : Number(retryAfter));
}
