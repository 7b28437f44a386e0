import { base58Of } from '@sluice/protocol/layout/base58-text';
import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { ChainTokenBalance, ChainTransaction } from '../chain.ts';
import { foreign, type Json } from './json.ts';
import { storedTokenAmount } from './token-amount.ts';
import { decodeTransaction, type Message, type WireTransaction } from './wire-transaction.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64';

/** Stack height of a top-level instruction. */
const OUTER_STACK_HEIGHT = 1;

/** A past transaction. Its version is only included for clients that state which versions they support. */
export function encodeTransaction(
  transaction: ChainTransaction,
  encoding: TransactionEncoding,
  withVersion: boolean,
  wire: WireTransaction = decodeTransaction(transaction.wire),
): Json {
  return {
    blockTime: transaction.blockTime,
    meta: encodeMeta(transaction, wire.message, encoding),
    slot: transaction.slot,
    transaction: encodeBody(transaction, wire, encoding),
    version: withVersion ? wire.message.version : undefined,
  };
}

export function transactionStatus(error: unknown): Json {
  return isSuccess(error) ? { Ok: null } : { Err: foreign(error) };
}

function isSuccess(error: unknown): boolean {
  return error === null || error === undefined;
}

function encodeBody(
  transaction: ChainTransaction,
  wire: WireTransaction,
  encoding: TransactionEncoding,
): Json {
  if (encoding === 'base64') return [Buffer.from(transaction.wire).toString('base64'), 'base64'];
  if (encoding === 'base58') return [base58Of(transaction.wire), 'base58'];
  const { message, signatures } = wire;
  const lookups =
    message.version === 0
      ? (message.addressTableLookups ?? []).map((lookup) => ({
          accountKey: lookup.lookupTableAddress,
          readonlyIndexes: lookup.readonlyIndexes,
          writableIndexes: lookup.writableIndexes,
        }))
      : undefined;
  const addresses = allAddresses(transaction, message);
  const instructions = message.instructions.map((instruction) =>
    encodeInstruction(encoding, addresses, {
      programIdIndex: instruction.programAddressIndex,
      accounts: instruction.accountIndices ?? [],
      data: instruction.data ?? new Uint8Array(),
      stackHeight: OUTER_STACK_HEIGHT,
    }),
  );
  const common = { addressTableLookups: lookups, instructions, recentBlockhash: message.lifetimeToken };
  if (encoding === 'jsonParsed') {
    return { message: { ...common, accountKeys: parsedKeys(transaction, message) }, signatures };
  }
  return {
    message: {
      ...common,
      accountKeys: message.staticAccounts,
      header: {
        numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
        numRequiredSignatures: message.header.numSignerAccounts,
      },
    },
    signatures,
  };
}

function encodeMeta(transaction: ChainTransaction, message: Message, encoding: TransactionEncoding): Json {
  const addresses = allAddresses(transaction, message);
  return {
    computeUnitsConsumed: transaction.computeUnits,
    err: isSuccess(transaction.error) ? null : foreign(transaction.error),
    fee: transaction.feeLamports,
    innerInstructions: encodeInner(transaction.inner, encoding, addresses),
    // Parsed responses list loaded addresses among the account keys instead.
    loadedAddresses:
      encoding === 'jsonParsed'
        ? undefined
        : { readonly: transaction.loadedReadonly, writable: transaction.loadedWritable },
    logMessages: transaction.logs,
    postBalances: transaction.postBalances,
    postTokenBalances: transaction.postTokenBalances.map(encodeTokenBalance),
    preBalances: transaction.preBalances,
    preTokenBalances: transaction.preTokenBalances.map(encodeTokenBalance),
    rewards: [],
    status: transactionStatus(transaction.error),
  };
}

export function encodeInner(
  inner: ChainTransaction['inner'],
  encoding: TransactionEncoding,
  addresses: readonly Address[],
): Json {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((each) => encodeInstruction(encoding, addresses, each)),
  }));
}

/** An outer or an inner instruction. */
type InstructionParts = Omit<ChainTransaction['inner'][number]['instructions'][number], 'data'> & {
  readonly data: ReadonlyUint8Array;
};

/** In parsed responses every instruction has the form that nodes use for programs they cannot parse. */
function encodeInstruction(
  encoding: TransactionEncoding,
  addresses: readonly Address[],
  { programIdIndex, accounts, data, stackHeight }: InstructionParts,
): Json {
  if (encoding !== 'jsonParsed') return { accounts, data: base58Of(data), programIdIndex, stackHeight };
  return {
    accounts: accounts.map((index) => addresses[index] ?? null),
    data: base58Of(data),
    programId: addresses[programIdIndex] ?? null,
    stackHeight,
  };
}

/** In the order of a transaction's account indices. */
function allAddresses(transaction: ChainTransaction, message: Message): readonly Address[] {
  return [...message.staticAccounts, ...transaction.loadedWritable, ...transaction.loadedReadonly];
}

function parsedKeys(transaction: ChainTransaction, message: Message): Json {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const writableSigners = numSignerAccounts - numReadonlySignerAccounts;
  const writableEnd = message.staticAccounts.length - numReadonlyNonSignerAccounts;
  const loaded = (pubkey: Address, writable: boolean) => ({
    pubkey,
    signer: false,
    source: 'lookupTable',
    writable,
  });
  return [
    ...message.staticAccounts.map((pubkey, index) => ({
      pubkey,
      signer: index < numSignerAccounts,
      source: 'transaction',
      writable: index < writableSigners || (index >= numSignerAccounts && index < writableEnd),
    })),
    ...transaction.loadedWritable.map((pubkey) => loaded(pubkey, true)),
    ...transaction.loadedReadonly.map((pubkey) => loaded(pubkey, false)),
  ];
}

function encodeTokenBalance(balance: ChainTokenBalance): Json {
  return {
    accountIndex: balance.accountIndex,
    mint: balance.mint,
    owner: balance.owner,
    programId: balance.programId,
    uiTokenAmount: storedTokenAmount(balance.amount, balance.decimals),
  };
}
