import type { BlockOrder } from '../../store/transactions/block-order.ts';
import { type BlocksWrite, writeBlocks } from '../../store/transactions/write-blocks.ts';
import { FOLLOWER } from '../reader.ts';
import type { IngestSource } from '../source.ts';

/** Writes final transactions and the slots that they complete. The order of a block that they do not tell is read. @throws NOT_LEADER */
export async function writeFinal(
  source: IngestSource,
  write: Omit<BlocksWrite, 'orders'>,
  signal: AbortSignal,
): Promise<void> {
  const orders = new Map<bigint, BlockOrder>();
  for (;;) {
    const outcome = await writeBlocks(source.db, { ...write, orders });
    if (outcome.kind === 'written') return;
    for (const slot of outcome.slots) {
      await source.turn(FOLLOWER, signal);
      const signatures = await source.transactions.blockSignatures(slot, signal);
      // Without the block, the places that are known have to do.
      orders.set(slot, { signatures: signatures ?? [], exact: true });
    }
  }
}
