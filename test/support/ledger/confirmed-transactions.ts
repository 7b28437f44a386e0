import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { LedgerTransaction } from '../../../src/demo/ledger.ts';
import type { DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import type { ConfirmedTransaction } from '../../../src/domain/transactions/confirmed-transaction.ts';

/** Every transaction of the embedded chain, oldest first. */
export function allTransactions(ledger: DemoLedger): LedgerTransaction[] {
  const bySignature = new Map<string, LedgerTransaction>();
  for (const { address } of ledger.world.wallets) {
    for (const transaction of ledger.transactionsOf(address).toReversed()) {
      bySignature.set(transaction.signature, transaction);
    }
  }
  return [...bySignature.values()].sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}

/** A transaction of the embedded chain in the neutral form. */
export function confirmed(transaction: LedgerTransaction): ConfirmedTransaction {
  const { messageBytes } = getTransactionDecoder().decode(transaction.wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version !== 0) throw new Error('not a version 0 message');
  const accountKeys = transaction.addresses;
  const at = (index: number): Address => {
    const address = accountKeys[index];
    if (address === undefined) throw new Error(`no account ${index}`);
    return address;
  };
  return {
    signature: transaction.signature,
    slot: transaction.slot,
    blockTime: transaction.blockTime,
    failed: transaction.error !== null,
    accountKeys,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
      programAddress: at(programAddressIndex),
      accounts: accountIndices.map(at),
      data: Uint8Array.from(data ?? []),
      stackHeight: 1,
    })),
    innerInstructions: transaction.inner.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
        programAddress: at(programIdIndex),
        accounts: accounts.map(at),
        data,
        stackHeight,
      })),
    })),
    preTokenBalances: transaction.preTokenBalances,
    postTokenBalances: transaction.postTokenBalances,
    preLamports: transaction.preBalances,
    postLamports: transaction.postBalances,
  };
}
