import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { LendingTransaction } from '../../services/history/obligations/transactions.ts';
import type { QueueTransaction } from '../../services/history/withdraw-queues/queue-transactions.ts';
import { lendingInstruction } from '../obligations/transaction-answers.ts';
import type { Call } from '../operation/operation.ts';
import { queueTransaction } from '../withdraw-queues/transaction-answers.ts';
import { joined } from './bulk-read.ts';

const placeOf = ({ time, signature }: LendingTransaction | QueueTransaction) => ({
  timestamp: new Date(time * 1_000).toISOString(),
  signature,
});

/** One row for each transaction and obligation. */
export async function obligationRows(call: Call, events: readonly LendingTransaction[]) {
  const groups = joined(events, ({ signature, obligation }) => `${signature} ${obligation}`);
  return await Promise.all(
    groups.flatMap((group) => {
      const [first] = group;
      // Events are newest first, instructions in the order of execution.
      return first === undefined ? [] : obligationRow(call, first, group.toReversed());
    }),
  );
}

async function obligationRow(call: Call, first: LendingTransaction, events: readonly LendingTransaction[]) {
  const ixs = await Promise.all(
    events.map(async (each) => ({ reserve: each.reserve, ...(await lendingInstruction(call, each)) })),
  );
  const { obligation, owner } = first;
  return { ixs, ...placeOf(first), obligation, wallet: owner ?? NO_ADDRESS };
}

/** One row for each transaction and ticket. */
export async function queueRows(call: Call, events: readonly QueueTransaction[]) {
  const groups = joined(events, ({ signature, ticket }) => `${signature} ${ticket}`);
  return await Promise.all(
    groups.flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : queueRow(call, first, group.toReversed());
    }),
  );
}

async function queueRow(call: Call, first: QueueTransaction, events: readonly QueueTransaction[]) {
  const ixs = await Promise.all(
    events.map(async (each) => {
      const { createdOn, timestamp, transactionSignature, reserve, withdrawTicket, ...ix } =
        await queueTransaction(call, each);
      return ix;
    }),
  );
  const { wallet, reserve, ticket } = first;
  return { ixs, ...placeOf(first), wallet, reserve, withdrawTicket: ticket };
}
