import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../../chain.ts';
import { computeBudgetOf } from '../../runtime/transaction/compute-budget.ts';
import { isRequestedWritable } from '../../runtime/transaction/resolve-accounts.ts';
import type { Call, Methods } from '../call.ts';
import { addressParam, listParam } from '../params.ts';
import { invalidParams } from '../rpc-error.ts';
import { decodeTransaction } from '../wire-transaction.ts';

/** A node keeps the prices of this many slots. */
const SLOTS = 150n;
const MAX_ACCOUNTS = 128;

/** Price that a transaction paid per compute unit, and the accounts that it could write. */
interface Paid {
  /** Micro-lamports. */
  readonly price: bigint;
  readonly writable: ReadonlySet<Address>;
}

const paid = new WeakMap<ChainTransaction, Paid>();

export const priorityFeeMethods: Methods = {
  /**
   * The price that was enough in each recent slot: the lowest of all its transactions or, if higher, the lowest of those
   * that write to one of the accounts. Zero for a slot without transactions.
   */
  getRecentPrioritizationFees(call, params) {
    const given = params[0] === undefined || params[0] === null ? [] : listParam(params, 0);
    if (given.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    const accounts = given.map((_, i) => addressParam(given, i));
    const fees = [];
    const start = call.slot < SLOTS ? 0n : call.slot - SLOTS + 1n;
    for (let slot = start; slot <= call.slot; slot += 1n) {
      if (call.chain.blockTime(slot) === null) continue;
      fees.push({ prioritizationFee: enoughIn(call, slot, accounts), slot });
    }
    return fees;
  },
};

function enoughIn({ chain }: Call, slot: bigint, accounts: readonly Address[]): bigint {
  const all = chain.block(slot).transactions.map(paidBy);
  const lowest = (some: readonly Paid[]) =>
    some.reduce<bigint | null>((low, { price }) => (low === null || price < low ? price : low), null) ?? 0n;
  return accounts
    .map((account) => lowest(all.filter(({ writable }) => writable.has(account))))
    .reduce((high, price) => (price > high ? price : high), lowest(all));
}

function paidBy(transaction: ChainTransaction): Paid {
  const known = paid.get(transaction);
  if (known !== undefined) return known;
  const { message } = decodeTransaction(transaction.wire);
  const { addresses, loadedWritable } = transaction;
  const instructions = message.instructions.map(({ programAddressIndex, data }) => ({
    programAddress: addresses[programAddressIndex] as Address,
    data: Uint8Array.from(data ?? []),
  }));
  const found = {
    price: computeBudgetOf(instructions).unitPrice,
    writable: new Set(addresses.filter((_, i) => isRequestedWritable(message, i, loadedWritable.length))),
  };
  paid.set(transaction, found);
  return found;
}
