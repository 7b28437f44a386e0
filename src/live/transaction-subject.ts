import { isSignature } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import { isFinal, type SentTransaction } from '../services/sending/sent-transaction.ts';
import type { SentTransactions } from '../services/sending/sent-transactions.ts';
import type { Subject } from './update.ts';

/** Longer than a blockhash lives: a transaction that is not seen for so long will not land. */
const UNSEEN_MS = 180_000;

/** A transaction by its signature, until it is final or has not been seen for as long as a blockhash lives. */
export function transactionSubject(
  signature: string,
  sent: Pick<SentTransactions, 'find'>,
  unseenMs = UNSEEN_MS,
): Subject<SentTransaction> {
  if (!isSignature(signature))
    throw new SluiceError('SIGNATURE_MALFORMED', { value: signature.slice(0, 100) });
  const startedAtMs = Date.now();
  let isFirst = true;
  return {
    async read(session) {
      const found = await sent.find(signature, isFirst, session);
      isFirst = false;
      const isGone = found.status === 'PENDING' && Date.now() - startedAtMs > unseenMs;
      return new Map([[signature, isGone ? { ...found, status: 'EXPIRED' as const } : found]]);
    },
    change: (before, after) =>
      before.status === after.status && before.slot === after.slot ? null : 'ACCOUNT',
    isFinal,
  };
}
