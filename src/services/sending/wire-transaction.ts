import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import { TRANSACTION_SIZE_LIMIT } from '../../builders/plan/plan.ts';
import { SluiceError } from '../../errors/sluice-error.ts';

type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;

/** A transaction in wire format, taken apart. Its signatures are not checked. */
export interface WireTransaction {
  readonly bytes: Buffer;
  readonly message: Message;
  readonly messageBytes: Uint8Array;
  /** By signer, in the order of the message; null where one is missing. */
  readonly signatures: readonly (readonly [Address, Uint8Array | null])[];
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Index of AdvanceNonceAccount among the instructions of the system program. */
const ADVANCE_NONCE = 4;

const transactionDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();

/**
 * Decodes a transaction in base64, signed or not, legacy or version 0.
 * @throws SluiceError TRANSACTION_TOO_LARGE or TRANSACTION_MALFORMED
 */
export function wireTransaction(text: string): WireTransaction {
  const bytes = bytesOf(text);
  return { bytes, ...decoded(bytes) };
}

function bytesOf(text: string): Buffer {
  const compact = text.trim();
  if (compact === '') throw malformed('it is empty');
  if (!BASE64.test(compact) || compact.replace(/=+$/, '').length % 4 === 1)
    throw malformed('it is not valid base64');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.length <= TRANSACTION_SIZE_LIMIT) return bytes;
  throw new SluiceError('TRANSACTION_TOO_LARGE', {
    sizeBytes: bytes.length,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
  });
}

function decoded(bytes: Uint8Array): Omit<WireTransaction, 'bytes'> {
  let parts: ReturnType<typeof transactionDecoder.decode>;
  let message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
  let end: number;
  try {
    parts = transactionDecoder.decode(bytes);
    [message, end] = messageDecoder.read(parts.messageBytes, 0);
  } catch {
    // The decoder's own message is about offsets and codecs.
    throw malformed('its bytes are not those of a transaction');
  }
  if (message.version !== 0 && message.version !== 'legacy')
    throw malformed(`its version ${message.version} is not supported`);
  if (end !== parts.messageBytes.length) throw malformed('there are bytes after its end');
  return {
    message,
    messageBytes: new Uint8Array(parts.messageBytes),
    signatures: Object.entries(parts.signatures).map(
      ([signer, signature]) => [signer as Address, signature] as const,
    ),
  };
}

/** Whether an instruction, in first place, makes a durable nonce the lifetime of its transaction. */
export function isAdvanceNonce(
  program: Address | undefined,
  data: { readonly [index: number]: number; readonly length: number } | undefined,
): boolean {
  return (
    program === SYSTEM_PROGRAM &&
    data !== undefined &&
    data.length >= 4 &&
    data[0] === ADVANCE_NONCE &&
    !data[1] &&
    !data[2] &&
    !data[3]
  );
}

export const malformed = (reason: string) => new SluiceError('TRANSACTION_MALFORMED', { reason });
