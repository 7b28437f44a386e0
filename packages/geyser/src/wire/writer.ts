const INITIAL_BYTES = 256;
const U64 = 0xffff_ffff_ffff_ffffn;

/** Writes the protobuf wire format into memory that grows. */
export class WireWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #position = 0;

  /** What was written. Later writes may overwrite it. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#position);
  }

  tag(field: number, wireType: number): void {
    this.uint32(field * 8 + wireType);
  }

  uint32(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#position++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#position++] = rest;
  }

  /** Signed values are written as their two's complement of 64 bits. */
  varint(value: bigint): void {
    this.#reserve(10);
    let rest = value & U64;
    while (rest >= 0x80n) {
      this.#buffer[this.#position++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#position++] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#position = this.#buffer.writeDoubleLE(value, this.#position);
  }

  bytes(value: Uint8Array): void {
    this.uint32(value.length);
    this.#reserve(value.length);
    this.#buffer.set(value, this.#position);
    this.#position += value.length;
  }

  text(value: string): void {
    this.bytes(Buffer.from(value, 'utf8'));
  }

  /** Writes the content, then its length in front of it. */
  delimited(content: () => void): void {
    const start = this.#position;
    content();
    const length = this.#position - start;
    this.uint32(length);
    const prefix = Uint8Array.from(this.#buffer.subarray(start + length, this.#position));
    this.#buffer.copyWithin(start + prefix.length, start, start + length);
    this.#buffer.set(prefix, start);
  }

  #reserve(bytes: number): void {
    const needed = this.#position + bytes;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.#buffer.subarray(0, this.#position));
    this.#buffer = grown;
  }
}
