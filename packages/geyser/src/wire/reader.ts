import { malformed } from '../errors.ts';

export const WireType = { VARINT: 0, FIXED64: 1, BYTES: 2, FIXED32: 5 } as const;

/**
 * Elements of repeated fields in one message. Two bytes can make an object, so that the size of a message alone does not bound
 * the memory that it takes when decoded.
 */
const MAX_ELEMENTS = 250_000;
/** Seven bytes of seven bits are exact in a double. */
const EXACT_BYTES = 7;
const MAX_VARINT_BYTES = 10;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the protobuf wire format. Throws a GeyserError on malformed bytes. */
export class WireReader {
  position = 0;
  /** End of the message that is being read; submessages lower it. */
  end: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #elements = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  get done(): boolean {
    return this.position >= this.end;
  }

  /** Unsigned. Beyond 2^53 it is not exact; lengths and tags are below. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw malformed('a varint has more than 10 bytes');
  }

  uint64(): bigint {
    const start = this.position;
    const value = this.varint();
    if (this.position - start <= EXACT_BYTES) return BigInt(value);
    this.position = start;
    return this.#longVarint();
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  uint32(): number {
    const start = this.position;
    const value = this.varint();
    if (value <= 0xffff_ffff) return value;
    this.position = start;
    return Number(BigInt.asUintN(32, this.uint64()));
  }

  /** Negative ones have ten bytes on the wire. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.uint64()));
  }

  double(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  /** A view into the message. */
  bytes(): Uint8Array {
    const length = this.varint();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(): string {
    try {
      return utf8.decode(this.bytes());
    } catch (error) {
      if (error instanceof TypeError) throw malformed('a text is not UTF-8');
      throw error;
    }
  }

  /** Reads a length and then, with that end, the content. */
  delimited<T>(content: () => T): T {
    const length = this.varint();
    const end = this.position + length;
    if (end > this.end) throw malformed('a length exceeds its message');
    const outer = this.end;
    this.end = end;
    const value = content();
    this.end = outer;
    return value;
  }

  skip(wireType: number): void {
    if (wireType === WireType.VARINT) this.varint();
    else if (wireType === WireType.BYTES) this.#advance(this.varint());
    else if (wireType === WireType.FIXED64) this.#advance(8);
    else if (wireType === WireType.FIXED32) this.#advance(4);
    else throw malformed(`wire type ${wireType} is not part of proto3`);
  }

  countElement(): void {
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) throw malformed(`it has more than ${MAX_ELEMENTS} elements`);
  }

  #longVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  }

  #byte(): number {
    return this.#bytes[this.#advance(1)] ?? 0;
  }

  /** Returns the position before. */
  #advance(length: number): number {
    const start = this.position;
    if (length > this.end - start) throw malformed('it is shorter than its fields');
    this.position = start + length;
    return start;
  }
}
