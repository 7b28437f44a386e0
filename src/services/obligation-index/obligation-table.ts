import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { Loan } from '../../domain/risk/loan.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { addressAt, hasMark, ownerAt, ownerKeyAt, tagAt, unpackAt } from './packed-obligation.ts';

const EMPTY = 0xffff_ffff;
/** Loans handled between two checks of the time. */
const LOANS_PER_STEP = 256;
const PIECE_BYTES = 1024 * 1024;

/**
 * All loans of a market in one block of memory, with a hash table from address to place. Never changes: a later state is
 * another table, and most of it is copied.
 */
export class ObligationTable {
  readonly size: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Where each loan starts; one more for the end. */
  readonly #starts: Uint32Array;
  /** Numbers of loans by hash of the address, with linear probing. */
  readonly #slots: Uint32Array;

  private constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#starts = starts;
    this.size = starts.length - 1;
    this.#slots = new Uint32Array(slotsFor(this.size)).fill(EMPTY);
  }

  static readonly empty = new ObligationTable(new Uint8Array(0), new Uint32Array(1));

  /** A table of records, hashed in slices. */
  static async of(bytes: Uint8Array, starts: Uint32Array): Promise<ObligationTable> {
    const table = new ObligationTable(bytes, starts);
    for (let number = 0; number < table.size; number += 1) {
      const pause = number % LOANS_PER_STEP === 0 ? scheduler.pause() : null;
      if (pause !== null) await pause;
      table.#hash(number);
    }
    return table;
  }

  #hash(number: number): void {
    const start = this.#start(number);
    let slot = this.#slotOf(this.#view.getUint32(start), this.#view.getUint32(start + 28));
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & (this.#slots.length - 1);
    this.#slots[slot] = number;
  }

  /** Bytes of memory. */
  get memoryBytes(): number {
    return this.#bytes.byteLength + this.#starts.byteLength + this.#slots.byteLength;
  }

  /** The number of a loan; undefined when it is not here. */
  find(address: Address): number | undefined {
    const key = addressBytes(address);
    const words = new DataView(key.buffer, key.byteOffset, key.byteLength);
    for (let slot = this.#slotOf(words.getUint32(0), words.getUint32(28)); ; ) {
      const number = this.#slots[slot];
      if (number === undefined || number === EMPTY) return undefined;
      if (this.#isAt(this.#start(number), words)) return number;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
  }

  loan(number: number): Loan {
    return unpackAt(this.#view, this.#start(number));
  }

  address(number: number): Address {
    return addressAt(this.#view, this.#start(number));
  }

  owner(number: number): Address {
    return ownerAt(this.#view, this.#start(number));
  }

  /** A key of the owner that is cheaper than the address. */
  ownerKey(number: number): string {
    return ownerKeyAt(this.#bytes, this.#start(number));
  }

  tag(number: number): number {
    return tagAt(this.#view, this.#start(number));
  }

  hasMark(number: number, mark: Uint8Array): boolean {
    return hasMark(this.#bytes, this.#start(number), mark);
  }

  /** The bytes of a loan, to copy into a later table. */
  record(number: number): Uint8Array {
    return this.#bytes.subarray(this.#start(number), this.#starts[number + 1]);
  }

  #start(number: number): number {
    return this.#starts[number] ?? 0;
  }

  #isAt(start: number, words: DataView): boolean {
    for (let i = 0; i < 32; i += 4) if (this.#view.getUint32(start + i) !== words.getUint32(i)) return false;
    return true;
  }

  #slotOf(first: number, last: number): number {
    return (Math.imul(first ^ Math.imul(last, 0x85eb_ca6b), 0x9e37_79b1) >>> 0) & (this.#slots.length - 1);
  }
}

/** A power of two, at most two thirds full. */
function slotsFor(size: number): number {
  let slots = 16;
  while (slots * 2 < size * 3) slots *= 2;
  return slots;
}

/** Builds a table from records of any table or of new loans. They are collected in pieces, so that growth copies nothing. */
export class ObligationTableBuilder {
  readonly #pieces: Piece[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(record: Uint8Array): void {
    let piece = this.#pieces.at(-1);
    if (piece === undefined || piece.used + record.length > piece.bytes.length) {
      piece = { bytes: new Uint8Array(Math.max(PIECE_BYTES, record.length)), used: 0, ends: [] };
      this.#pieces.push(piece);
    }
    piece.bytes.set(record, piece.used);
    piece.used += record.length;
    piece.ends.push(piece.used);
    this.#size += 1;
  }

  /** The builder is of no use afterwards. */
  async build(): Promise<ObligationTable> {
    const bytes = new Uint8Array(this.#pieces.reduce((sum, { used }) => sum + used, 0));
    const starts = new Uint32Array(this.#size + 1);
    let [at, number] = [0, 0];
    for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) {
      const pause = scheduler.pause();
      if (pause !== null) await pause;
      bytes.set(piece.bytes.subarray(0, piece.used), at);
      for (const end of piece.ends) {
        number += 1;
        starts[number] = at + end;
      }
      at += piece.used;
    }
    return await ObligationTable.of(bytes, starts);
  }
}

/** Some records, one after the other. */
interface Piece {
  readonly bytes: Uint8Array;
  used: number;
  /** Where each ends. */
  readonly ends: number[];
}
