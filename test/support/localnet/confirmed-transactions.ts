import type { ChainTransaction } from '@sluice/localnet/chain';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import type { Address } from '@solana/kit';

/** Every transaction of the localnet, oldest first. */
export function allTransactions(localChain: WorldChain): ChainTransaction[] {
  const { world } = localChain;
  const bySignature = new Map<string, ChainTransaction>();
  for (const { address } of [...world.wallets, ...world.quietWallets]) {
    for (const transaction of localChain.transactionsOf(address).toReversed()) {
      bySignature.set(transaction.signature, transaction);
    }
  }
  return [...bySignature.values()].sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0));
}

/** A transaction of the localnet in the neutral form. */
export function confirmed(transaction: ChainTransaction): ConfirmedTransaction {
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
    instructions: instructionsIn(transaction.wire).map(({ program, accounts, data }) => ({
      programAddress: at(program),
      accounts: accounts.map(at),
      data,
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

interface WireInstruction {
  readonly program: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/**
 * The instructions of a version 0 transaction. The general decoder also converts every address to base58, which takes most
 * of its time; world-transactions.long.test.ts decodes the same transactions with it.
 */
function instructionsIn(wire: Uint8Array): WireInstruction[] {
  let offset = 0;
  const take = (length: number) => {
    if (offset + length > wire.length) throw new Error('the transaction is cut off');
    offset += length;
    return wire.slice(offset - length, offset);
  };
  const byte = () => take(1)[0] ?? 0;
  /** A compact-u16 of one or two bytes. */
  const count = () => {
    const low = byte();
    return low < 0x80 ? low : (low & 0x7f) | (byte() << 7);
  };
  const list = <T>(item: () => T) => Array.from({ length: count() }, item);
  list(() => take(64));
  if (byte() !== 0x80) throw new Error('not a version 0 message');
  take(3);
  list(() => take(32));
  take(32);
  return list(() => ({ program: byte(), accounts: list(byte), data: take(count()) }));
}
