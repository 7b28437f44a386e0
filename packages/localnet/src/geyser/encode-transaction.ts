import {
  encodeTransactionError,
  type TokenBalanceInput,
  type TransactionErrorJson,
  type TransactionInfoInput,
  type TransactionMetaInput,
} from '@sluice/geyser';
import { base58ToBytes } from '@sluice/protocol/layout/base58-text';
import type { ChainTokenBalance, ChainTransaction } from '../chain.ts';
import { uiAmountString } from '../rpc/token-amount.ts';
import { decodeTransaction } from '../rpc/wire-transaction.ts';

/** A transaction with its metadata, as the stream carries it. */
export function encodeTransaction(transaction: ChainTransaction, index: number): TransactionInfoInput {
  const { message, signatures } = decodeTransaction(transaction.wire);
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  return {
    signature: bytesOf(transaction.signature),
    index: BigInt(index),
    transaction: {
      signatures: signatures.map(bytesOf),
      message: {
        header: {
          numRequiredSignatures: numSignerAccounts,
          numReadonlySigned: numReadonlySignerAccounts,
          numReadonlyUnsigned: numReadonlyNonSignerAccounts,
        },
        accountKeys: message.staticAccounts.map(bytesOf),
        recentBlockhash: bytesOf(message.lifetimeToken),
        instructions: message.instructions.map(({ programAddressIndex, accountIndices, data }) => ({
          programIdIndex: programAddressIndex,
          accounts: Uint8Array.from(accountIndices ?? []),
          data: Uint8Array.from(data ?? []),
        })),
        versioned: message.version !== 'legacy',
        addressTableLookups: lookups.map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
          accountKey: bytesOf(lookupTableAddress),
          writableIndexes: Uint8Array.from(writableIndexes),
          readonlyIndexes: Uint8Array.from(readonlyIndexes),
        })),
      },
    },
    meta: encodeMeta(transaction),
  };
}

/** Null when the transaction succeeded. */
export function encodeError({ error }: ChainTransaction): { err: Uint8Array } | null {
  return error === null ? null : { err: encodeTransactionError(error as TransactionErrorJson) };
}

function encodeMeta(transaction: ChainTransaction): TransactionMetaInput {
  return {
    err: encodeError(transaction),
    fee: transaction.feeLamports,
    preBalances: transaction.preBalances,
    postBalances: transaction.postBalances,
    innerInstructions: transaction.inner.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => ({
        programIdIndex,
        accounts: Uint8Array.from(accounts),
        data,
        stackHeight,
      })),
    })),
    logMessages: transaction.logs,
    preTokenBalances: transaction.preTokenBalances.map(encodeBalance),
    postTokenBalances: transaction.postTokenBalances.map(encodeBalance),
    loadedWritableAddresses: transaction.loadedWritable.map(bytesOf),
    loadedReadonlyAddresses: transaction.loadedReadonly.map(bytesOf),
    // The chain does not keep return data.
    returnDataNone: true,
    computeUnitsConsumed: BigInt(transaction.computeUnits),
  };
}

function encodeBalance({
  accountIndex,
  mint,
  owner,
  programId,
  amount,
  decimals,
}: ChainTokenBalance): TokenBalanceInput {
  const text = uiAmountString(amount, decimals);
  return {
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount: { uiAmount: Number(text), decimals, amount: amount.toString(), uiAmountString: text },
  };
}

/** Of an address, a signature or a blockhash, which are base58 by construction. */
export function bytesOf(base58: string): Uint8Array {
  const bytes = base58ToBytes(base58);
  if (bytes === null) throw new RangeError('not base58');
  return bytes;
}
