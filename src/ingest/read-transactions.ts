import type { ListedTransaction } from '../chain/transactions.ts';
import type { ConfirmedTransaction } from '../domain/transactions/confirmed-transaction.ts';
import type { TransactionRef } from '../store/transactions/cursors.ts';
import type { EventfulTransaction } from '../store/transactions/write-page.ts';
import type { IngestSource } from './source.ts';

/** What a part of a list came to. */
export interface PartRead {
  readonly eventful: readonly EventfulTransaction[];
  readonly missing: readonly (TransactionRef & { readonly reason: string })[];
}

/** A node may list a transaction a moment before it, or its neighbour in the pool, can give it. */
const SECOND_LOOK_MS = 300;

/** Reads and decodes listed transactions. Failed ones changed nothing and are not asked for. */
export async function readListed(
  source: IngestSource,
  listed: readonly ListedTransaction[],
  signal: AbortSignal,
): Promise<PartRead> {
  const known: EventfulTransaction[] = [];
  const wanted: TransactionRef[] = [];
  for (const mark of listed.filter(({ failed }) => !failed)) {
    const remembered = source.remembered(mark);
    if (remembered === undefined) wanted.push(mark);
    else known.push(remembered);
  }
  const { found, absent } = await readOnce(source, wanted, signal);
  if (absent.some(({ reason }) => reason === 'notFound')) {
    await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS));
    const again = await readOnce(source, absent, signal);
    found.push(...again.found);
    absent.splice(0, absent.length, ...again.absent);
  }
  return { eventful: [...known, ...(await source.decode(found, signal))], missing: absent };
}

async function readOnce(
  { transactions, turn, concurrency }: IngestSource,
  marks: readonly TransactionRef[],
  signal: AbortSignal,
): Promise<{ found: ConfirmedTransaction[]; absent: (TransactionRef & { readonly reason: string })[] }> {
  const slots = new Map(marks.map(({ signature, slot }) => [signature, slot]));
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
