import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import type { ListedTransaction } from '../chain/transactions/transactions.ts';
import type { TransactionRef } from '../store/transactions/cursors.ts';
import type { EventfulTransaction } from '../store/transactions/write-events.ts';
import type { AddressSource } from './source.ts';

/** The result of reading listed transactions. */
export interface ReadResult {
  readonly eventful: readonly EventfulTransaction[];
  readonly missing: readonly (TransactionRef & { readonly reason: string })[];
}

/** A node may list a transaction shortly before it, or another node of the pool, can return it. */
const RETRY_MS = 300;

/** Reads and decodes listed transactions. Skips failed ones, which changed nothing. */
export async function readListed(
  source: AddressSource,
  listed: readonly ListedTransaction[],
  signal: AbortSignal,
): Promise<ReadResult> {
  const known: EventfulTransaction[] = [];
  const wanted: TransactionRef[] = [];
  for (const ref of listed.filter(({ failed }) => !failed)) {
    const cached = source.cached(ref);
    if (cached === undefined) wanted.push(ref);
    else known.push(cached);
  }
  const { found, absent } = await readOnce(source, wanted, signal);
  if (absent.some(({ reason }) => reason === 'notFound')) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    const again = await readOnce(source, absent, signal);
    found.push(...again.found);
    absent.splice(0, absent.length, ...again.absent);
  }
  return { eventful: [...known, ...(await source.decode(found, signal))], missing: absent };
}

async function readOnce(
  { transactions, turn, concurrency }: AddressSource,
  refs: readonly TransactionRef[],
  signal: AbortSignal,
): Promise<{ found: ConfirmedTransaction[]; absent: (TransactionRef & { readonly reason: string })[] }> {
  const slots = new Map(refs.map(({ signature, slot }) => [signature, slot]));
  const reads = await transactions.readTransactions([...slots.keys()], { concurrency, turn, signal });
  const found: ConfirmedTransaction[] = [];
  const absent: (TransactionRef & { readonly reason: string })[] = [];
  for (const read of reads) {
    if ('transaction' in read) found.push(read.transaction);
    else {
      const { signature, absent: reason } = read;
      absent.push({ signature, slot: slots.get(signature) ?? 0n, reason });
    }
  }
  return { found, absent };
}
