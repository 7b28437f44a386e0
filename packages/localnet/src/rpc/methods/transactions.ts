import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { ChainTransaction } from '../../chain.ts';
import { computeBudgetOf } from '../../runtime/transaction/compute-budget.ts';
import { feeOf } from '../../runtime/transaction/fee-payer.ts';
import { Refusal } from '../../runtime/transaction/refusal.ts';
import { type Call, checkMinContextSlot, type Methods, withContext } from '../call.ts';
import { encodeTransaction, type TransactionEncoding, transactionStatus } from '../encode-transaction.ts';
import { foreign, type Json } from '../json.ts';
import {
  addressParam,
  type Config,
  configParam,
  listParam,
  optionalInteger,
  optionalText,
  type Params,
  signatureParam,
  textParam,
} from '../params.ts';
import { invalidParams, RPC_CODES, RpcError } from '../rpc-error.ts';
import { decodeTransaction, type Message, messageParam, type WireTransaction } from '../wire-transaction.ts';

const MAX_SIGNATURES = 1000;
const MAX_STATUSES = 256;
/** A chain with one node has no forks: a block is final once it exists. */
const CONFIRMATION = 'finalized';

export const transactionMethods: Methods = {
  getTransaction(call, params) {
    const signature = signatureParam(params, 0);
    // Old clients pass the encoding alone.
    const config = typeof params[1] === 'string' ? { encoding: params[1] } : configParam(params, 1);
    const encoding = transactionEncoding(config);
    const maxVersion = optionalInteger(config, 'maxSupportedTransactionVersion');
    const transaction = call.chain.transaction(signature);
    if (transaction === undefined) return null;
    const wire = readableBy(transaction, maxVersion);
    return encodeTransaction(transaction, encoding, maxVersion !== undefined, wire);
  },

  getSignaturesForAddress(call, params) {
    const address = addressParam(params, 0);
    const config = configParam(params, 1);
    checkMinContextSlot(call, config);
    const limit = optionalInteger(config, 'limit') ?? MAX_SIGNATURES;
    if (limit === 0 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
    const all = call.chain.transactionsOf(address);
    const before = optionalSignature(config, 'before');
    const until = optionalSignature(config, 'until');
    const start = before === undefined ? 0 : positionAfter(call, all, before);
    const end = until === undefined ? all.length : positionOf(call, all, until);
    return all.slice(start, Math.max(start, Math.min(end, start + limit))).map((transaction) => ({
      blockTime: transaction.blockTime,
      confirmationStatus: CONFIRMATION,
      err: foreign(transaction.error),
      memo: null,
      signature: transaction.signature,
      slot: transaction.slot,
    }));
  },

  getSignatureStatuses(call, params) {
    const signatures = listParam(params, 0);
    if (signatures.length > MAX_STATUSES) {
      throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    }
    return withContext(
      call,
      signatures.map((_, index) => encodeStatus(call.chain.transaction(signatureParam(signatures, index)))),
    );
  },

  /** Null when the blockhash is unknown or has expired. */
  getFeeForMessage(call, params: Params) {
    const message = messageParam(textParam(params, 0));
    checkMinContextSlot(call, configParam(params, 1));
    const valid = call.chain.isBlockhashValid(message.lifetimeToken);
    return withContext(call, valid ? feeOfMessage(message) : null);
  },
};

/** Decodes a transaction. Throws for a client that does not support its version. */
export function readableBy(transaction: ChainTransaction, maxVersion: number | undefined): WireTransaction {
  const wire = decodeTransaction(transaction.wire);
  const { version } = wire.message;
  if (version !== 0 || maxVersion !== undefined) return wire;
  throw new RpcError(
    RPC_CODES.unsupportedTransactionVersion,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

export function transactionEncoding(config: Config): TransactionEncoding {
  const encoding = optionalText(config, 'encoding') ?? 'json';
  if (encoding === 'json' || encoding === 'jsonParsed' || encoding === 'base58' || encoding === 'base64') {
    return encoding;
  }
  throw invalidParams(
    `Invalid params: unknown variant \`${encoding}\`, expected one of \`base58\`, \`base64\`, \`json\`, \`jsonParsed\`.`,
  );
}

/** The fee for the signatures and the priority that it asks for. Null when a node would not take the message. */
function feeOfMessage({ header, instructions, staticAccounts }: Message): bigint | null {
  const encoded = instructions.map(({ programAddressIndex, data }) => ({
    programAddress: staticAccounts[programAddressIndex] ?? SYSTEM_PROGRAM,
    accounts: [],
    data: Uint8Array.from(data ?? []),
  }));
  try {
    return feeOf(header.numSignerAccounts, computeBudgetOf(encoded).priorityFee);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function optionalSignature(config: Config, key: string): string | undefined {
  return optionalText(config, key) === undefined ? undefined : signatureParam([config[key]], 0);
}

/** Where the transactions older than `before` begin. An unknown signature has none older. */
function positionAfter(call: Call, all: readonly ChainTransaction[], before: string): number {
  const own = all.findIndex(({ signature }) => signature === before);
  if (own >= 0) return own + 1;
  const other = call.chain.transaction(before);
  return other === undefined ? all.length : firstAtOrBelow(all, other.slot - 1n);
}

/** Where the transactions newer than `until` end. An unknown signature stops nothing. */
function positionOf(call: Call, all: readonly ChainTransaction[], until: string): number {
  const own = all.findIndex(({ signature }) => signature === until);
  if (own >= 0) return own;
  const other = call.chain.transaction(until);
  return other === undefined ? all.length : firstAtOrBelow(all, other.slot);
}

function firstAtOrBelow(all: readonly ChainTransaction[], slot: bigint): number {
  const index = all.findIndex((transaction) => transaction.slot <= slot);
  return index < 0 ? all.length : index;
}

function encodeStatus(transaction: ChainTransaction | undefined): Json {
  if (transaction === undefined) return null;
  return {
    confirmationStatus: CONFIRMATION,
    confirmations: null,
    err: foreign(transaction.error),
    slot: transaction.slot,
    status: transactionStatus(transaction.error),
  };
}
