import { SlotStatus, type SubscribeUpdateInput } from '@sluice/geyser';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { ChainTransaction, StreamableChain } from '../chain.ts';
import { bytesOf, encodeError, encodeTransaction } from './encode-transaction.ts';
import { type AccountWrite, lastWrites, type SlotRecord } from './slot-record.ts';
import type { Subscription } from './subscription.ts';

/** Rent is not collected any more. */
const RENT_EPOCH = 2n ** 64n - 1n;

export function accountUpdates(
  subscription: Subscription,
  { slot }: SlotRecord,
  write: AccountWrite,
): SubscribeUpdateInput[] {
  const filters = subscription.ofAccount(write);
  if (filters.length === 0) return [];
  const { owner, lamports, data, executable } = write.account;
  const account = {
    pubkey: addressBytes(write.address),
    lamports,
    owner: addressBytes(owner),
    executable,
    rentEpoch: RENT_EPOCH,
    data: subscription.cut(data),
    writeVersion: write.writeVersion,
    txnSignature: write.signature === null ? null : bytesOf(write.signature),
  };
  return [{ filters, account: { account, slot } }];
}

export function transactionUpdates(
  subscription: Subscription,
  { slot, transactions }: SlotRecord,
  transaction: ChainTransaction,
): SubscribeUpdateInput[] {
  const index = transactions.indexOf(transaction);
  const updates: SubscribeUpdateInput[] = [];
  const filters = subscription.ofTransaction(transaction);
  if (filters.length > 0) {
    updates.push({ filters, transaction: { transaction: encodeTransaction(transaction, index), slot } });
  }
  const statusFilters = subscription.ofTransactionStatus(transaction);
  if (statusFilters.length > 0) {
    const signature = bytesOf(transaction.signature);
    const transactionStatus = { slot, signature, index: BigInt(index), err: encodeError(transaction) };
    updates.push({ filters: statusFilters, transactionStatus });
  }
  return updates;
}

/** Accounts, each as it was last written, and transactions of a slot. */
export function contentUpdates(subscription: Subscription, record: SlotRecord): SubscribeUpdateInput[] {
  return [
    ...lastWrites(record.writes).flatMap((write) => accountUpdates(subscription, record, write)),
    ...record.transactions.flatMap((each) => transactionUpdates(subscription, record, each)),
  ];
}

export function blockMetaUpdates(
  subscription: Subscription,
  chain: StreamableChain,
  { slot, parent, blockhash, blockHeight, parentBlockhash, transactions }: SlotRecord,
): SubscribeUpdateInput[] {
  const filters = subscription.ofBlockMeta();
  if (filters.length === 0) return [];
  const blockMeta = {
    slot,
    blockhash,
    blockTime: { timestamp: BigInt(Math.floor(chain.blockTime(slot) ?? 0)) },
    blockHeight: { blockHeight },
    parentSlot: parent,
    parentBlockhash,
    executedTransactionCount: BigInt(transactions.length),
    entriesCount: 1n,
  };
  return [{ filters, blockMeta }];
}

export function slotUpdates(
  subscription: Subscription,
  { slot, parent }: SlotRecord,
  statuses: readonly SlotStatus[],
): SubscribeUpdateInput[] {
  return statuses.flatMap((status) => {
    const filters = subscription.ofSlot(status);
    if (filters.length === 0) return [];
    const deadError = status === SlotStatus.DEAD ? 'the fork lost' : null;
    return [{ filters, slot: { slot, parent, status, deadError } }];
  });
}
