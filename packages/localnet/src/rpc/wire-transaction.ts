import { base58Of, base58ToBytes } from '@sluice/protocol/layout/base58-text';
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { base64Bytes, type Config, optionalText } from './params.ts';
import { invalidParams } from './rpc-error.ts';

/** The largest transaction that fits into a network packet. */
const MAX_TRANSACTION_BYTES = 1232;
const SIGNATURE_BYTES = 64;

const transactionDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();

/** A compiled message of a supported version. */
export type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;

export interface WireTransaction {
  /** Base58, in signer order; a missing signature is 64 zero bytes. */
  readonly signatures: readonly string[];
  readonly message: Message;
}

/** Throws on bytes that are not a transaction of a known format. */
export function decodeTransaction(wire: Uint8Array): WireTransaction {
  const { messageBytes, signatures } = transactionDecoder.decode(wire);
  return {
    message: decodeMessage(new Uint8Array(messageBytes)),
    signatures: Object.values(signatures).map((signature) =>
      base58Of(signature ?? new Uint8Array(SIGNATURE_BYTES)),
    ),
  };
}

function decodeMessage(bytes: Uint8Array): Message {
  const message = messageDecoder.decode(bytes);
  if (message.version !== 0 && message.version !== 'legacy') {
    throw invalidParams(`Transaction version (${message.version}) is not supported`);
  }
  return message;
}

/** A transaction of a client, as sent and decoded. */
export interface ReceivedTransaction extends WireTransaction {
  readonly bytes: Uint8Array;
}

/** A transaction sent by a client, in the encoding it names (default base58). */
export function transactionParam(text: string, config: Config): ReceivedTransaction {
  const encoding = optionalText(config, 'encoding') ?? 'base58';
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
  const bytes = encoding === 'base58' ? base58ToBytes(text) : base64Bytes(text);
  if (bytes === null) throw invalidParams(`invalid ${encoding} encoding`);
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw invalidParams(
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES} bytes)`,
    );
  }
  const type = 'solana_transaction::versioned::VersionedTransaction';
  return { bytes, ...deserialized(type, () => decodeTransaction(bytes)) };
}

/** A base64-encoded message without signatures. */
export function messageParam(text: string): Message {
  const bytes = base64Bytes(text);
  if (bytes === null) throw invalidParams('invalid base64 encoding');
  return deserialized('solana_message::versions::VersionedMessage', () => decodeMessage(bytes));
}

function deserialized<T>(type: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidParams(`failed to deserialize ${type}: ${reason}`);
  }
}
