import type { TokenBalance as StreamedBalance, TransactionInfo } from '@sluice/geyser/messages';
import { base58Of } from '@sluice/protocol/layout/base58-text';
import type {
  ConfirmedInstruction,
  ConfirmedTransaction,
  TokenBalance,
} from '@sluice/protocol/transactions/confirmed-transaction';
import type { Address } from '@solana/kit';
import { BrokenStream } from './broken-stream.ts';

interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
  readonly stackHeight?: number | null;
}

/** A transaction of a stream, in the same form as one that was read from an RPC node. @throws BrokenStream */
export function streamedTransaction(
  { signature, transaction, meta }: TransactionInfo,
  block: { readonly slot: bigint; readonly time: number },
): ConfirmedTransaction {
  const message = transaction?.message ?? refuse('it has no message');
  if (meta === null) return refuse('it has no outcome');
  // An empty list would say that no program was invoked by another one.
  if (meta.innerInstructionsNone) return refuse('the node does not record inner instructions');
  const accountKeys = [
    ...message.accountKeys,
    ...meta.loadedWritableAddresses,
    ...meta.loadedReadonlyAddresses,
  ].map((bytes) => base58Of(bytes) as Address);
  const at = (index: number): Address => accountKeys[index] ?? refuse(`it names no account ${index}`);
  const instruction = (
    { programIdIndex, accounts, data }: CompiledInstruction,
    stackHeight: number | null,
  ): ConfirmedInstruction => ({
    programAddress: at(programIdIndex),
    accounts: Array.from(accounts, at),
    // A view would keep the whole message in memory.
    data: Uint8Array.from(data),
    stackHeight,
  });
  return {
    signature: base58Of(signature),
    slot: block.slot,
    blockTime: block.time,
    failed: meta.err !== null,
    accountKeys,
    instructions: message.instructions.map((given) => instruction(given, 1)),
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((given) => instruction(given, given.stackHeight)),
    })),
    preTokenBalances: meta.preTokenBalances.map(tokenBalance),
    postTokenBalances: meta.postTokenBalances.map(tokenBalance),
    preLamports: meta.preBalances,
    postLamports: meta.postBalances,
  };
}

function tokenBalance({ accountIndex, mint, owner, uiTokenAmount }: StreamedBalance): TokenBalance {
  const amount = uiTokenAmount?.amount ?? '';
  if (!/^\d+$/.test(amount)) refuse('a token balance is no whole number');
  return {
    accountIndex,
    mint: mint as Address,
    owner: owner === '' ? null : (owner as Address),
    amount: BigInt(amount),
  };
}

function refuse(reason: string): never {
  throw new BrokenStream('MALFORMED', `a transaction cannot be read: ${reason}`);
}
