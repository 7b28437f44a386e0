import type { RequestOptions, SluiceClient } from '../client.ts';
import { type ClientCode, SluiceError } from '../errors.ts';
import { SEND, type Sent } from './documents.ts';
import { refusal } from './refusal.ts';

export interface SendOptions extends RequestOptions {
  /** `lastValidBlockHeight` of the plan. Saves the gateway a question to the cluster. */
  readonly lastValidBlockHeight?: string | null;
  /** Called while the transaction is not confirmed yet, with its signature. */
  readonly onPending?: (signature: string) => void;
}

/** A transaction that was confirmed. */
export interface Confirmed {
  readonly signature: string;
  /** Slot of its block, for `client.after(slot)`. */
  readonly slot: string;
}

const FAILURES: Readonly<Partial<Record<Sent['status'], ClientCode>>> = {
  FAILED: 'TRANSACTION_FAILED',
  REJECTED: 'TRANSACTION_REJECTED',
  EXPIRED: 'TRANSACTION_EXPIRED',
};

/**
 * Sends a signed transaction through the gateway and waits until it is confirmed. A transaction that failed, was
 * rejected by its simulation or has expired is thrown as a `SluiceError`; its `context` has the program's error.
 *
 * @example
 * const { signature, slot } = await sendTransaction(client, signed, { lastValidBlockHeight });
 */
export async function sendTransaction(
  client: SluiceClient,
  signed: string,
  { lastValidBlockHeight = null, onPending, ...options }: SendOptions = {},
): Promise<Confirmed> {
  const input = { transaction: signed, lastValidBlockHeight, wait: 'CONFIRMED' } as const;
  // The gateway waits as long as a request may take. Sending again continues to wait: a transaction lands once.
  for (;;) {
    const { sendTransaction: sent } = (await client.query(SEND, { input }, options)).data;
    if (sent.__typename === 'InvalidTransaction') throw refusal(sent);
    const { signature, slot, status } = sent;
    const code = FAILURES[status];
    if (code !== undefined) throw failure(sent, code);
    if (slot !== null && (status === 'CONFIRMED' || status === 'FINALIZED')) return { signature, slot };
    onPending?.(signature);
  }
}

function failure({ signature, slot, error, logs }: Sent, code: ClientCode): SluiceError {
  return new SluiceError(error?.message ?? 'The transaction can no longer be confirmed: build it again.', {
    code,
    retryable: false,
    context: {
      signature,
      slot,
      logs,
      name: error?.name ?? null,
      programAddress: error?.programAddress ?? null,
      programCode: error?.code ?? null,
    },
  });
}
