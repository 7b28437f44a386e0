import { gunzipSync } from 'node:zlib';
import { GeyserError, GrpcStatus, malformed } from './errors.ts';

/** Whether the message is compressed, and its length. */
const PREFIX_BYTES = 5;
/** Blocks and the largest accounts fit. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A message as gRPC sends it. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafeSlow(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

/** Cuts the bytes of a stream into messages. Each has memory of its own, so that keeping one retains no other. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #isGzip: () => boolean;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixBytes = 0;
  #parts: Uint8Array[] = [];
  #missing = 0;

  /** @param isGzip whether the peer's compressed messages are gzip; asked when one arrives */
  constructor(maxBytes: number, isGzip: () => boolean) {
    this.#maxBytes = maxBytes;
    this.#isGzip = isGzip;
  }

  /** False within a message. */
  get isComplete(): boolean {
    return this.#prefixBytes === 0;
  }

  *push(chunk: Uint8Array): Generator<Uint8Array, void> {
    let position = 0;
    while (position < chunk.length) {
      position +=
        this.#prefixBytes < PREFIX_BYTES
          ? this.#readPrefix(chunk, position)
          : this.#readBody(chunk, position);
      if (this.#prefixBytes === PREFIX_BYTES && this.#missing === 0) yield this.#take();
    }
  }

  #readPrefix(chunk: Uint8Array, position: number): number {
    const part = chunk.subarray(position, position + PREFIX_BYTES - this.#prefixBytes);
    this.#prefix.set(part, this.#prefixBytes);
    this.#prefixBytes += part.length;
    if (this.#prefixBytes === PREFIX_BYTES) {
      this.#missing = this.#prefix.readUInt32BE(1);
      if (this.#missing > this.#maxBytes) throw tooLarge(this.#maxBytes);
    }
    return part.length;
  }

  #readBody(chunk: Uint8Array, position: number): number {
    const part = chunk.subarray(position, position + this.#missing);
    this.#parts.push(part);
    this.#missing -= part.length;
    return part.length;
  }

  #take(): Uint8Array {
    const message = new Uint8Array(this.#prefix.readUInt32BE(1));
    let end = 0;
    for (const part of this.#parts) {
      message.set(part, end);
      end += part.length;
    }
    this.#parts = [];
    this.#prefixBytes = 0;
    const flag = this.#prefix[0];
    if (flag === 0) return message;
    if (flag !== 1) throw malformed('its compression flag is neither 0 nor 1');
    return this.#decompress(message);
  }

  #decompress(message: Uint8Array): Uint8Array {
    if (!this.#isGzip()) throw malformed('it is compressed by something else than gzip');
    try {
      return gunzipSync(message, { maxOutputLength: this.#maxBytes });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
        throw tooLarge(this.#maxBytes);
      }
      throw malformed('its gzip data is damaged');
    }
  }
}

function tooLarge(maxBytes: number): GeyserError {
  return new GeyserError(GrpcStatus.RESOURCE_EXHAUSTED, `a message has more than ${maxBytes} bytes`);
}
