import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { InstructionError } from './instruction-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the arguments of a built-in program's instruction one after the other. */
export class ArgumentReader {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = viewOf(data);
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  address(): Address {
    return readAddress(this.#view, this.#advance(32));
  }

  addresses(): Address[] {
    const count = this.#length(32);
    return Array.from({ length: count }, () => this.address());
  }

  text(): string {
    const length = this.#length(1);
    const start = this.#advance(length);
    try {
      return utf8.decode(this.#data.subarray(start, start + length));
    } catch {
      throw new InstructionError('InvalidInstructionData');
    }
  }

  /** A list's length, before any memory is reserved for it. */
  #length(itemBytes: number): number {
    const length = this.u64();
    if (length * BigInt(itemBytes) > BigInt(this.#data.length)) {
      throw new InstructionError('InvalidInstructionData');
    }
    return Number(length);
  }

  #advance(bytes: number): number {
    const start = this.#offset;
    if (start + bytes > this.#data.length) throw new InstructionError('InvalidInstructionData');
    this.#offset = start + bytes;
    return start;
  }
}
