import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { writeU64, writeVarint } from '../chain/positions/varint.ts';
import { maxPackedBytes, packZeroRuns } from '../chain/positions/zero-runs.ts';

/** Most bytes of one number. */
const NUMBER_BYTES = 20;
const FIRST_BYTES = 64 * 1024;

/** Bytes in memory that grows with what is written. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #end = 0;

  get length(): number {
    return this.#end;
  }

  /** What has been written, until more is. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  varint(value: number): void {
    this.#reserve(NUMBER_BYTES);
    this.#end = writeVarint(this.#bytes, this.#end, value);
  }

  u64(value: bigint): void {
    this.#reserve(NUMBER_BYTES);
    this.#end = writeU64(this.#bytes, this.#end, value);
  }

  address(address: Address): void {
    this.raw(addressBytes(address));
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Bytes without their runs of zeros, after the length of that. */
  packed(data: Uint8Array): void {
    this.#reserve(2 * NUMBER_BYTES + maxPackedBytes(data.length));
    const start = this.#end + NUMBER_BYTES;
    const end = packZeroRuns(data, this.#bytes, start);
    this.varint(end - start);
    this.#bytes.copyWithin(this.#end, start, end);
    this.#end += end - start;
  }

  reset(): void {
    this.#end = 0;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + bytes));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
