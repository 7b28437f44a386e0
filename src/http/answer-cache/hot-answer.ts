import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib';
import type { Made } from '../answer-note.ts';
import type { Coding } from '../content-coding.ts';

const AGE = '"ageMs":';
const BROTLI_QUALITY = 4;
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const deflated = promisify(deflateRaw);
const brotli = promisify(brotliCompress);

/** What an answer is logged and counted by. */
export interface Asked {
  readonly operation: string | null;
  readonly cost: number | null;
}

/**
 * The bytes of an answer. All of them stay the same while its View is current, but for the age that the answer tells of
 * the View: what goes before that is compressed once, the few bytes from there on are put behind it as they are.
 */
export class HotAnswer {
  readonly contentType: string;
  readonly made: Made;
  readonly asked: Asked;
  readonly #before: Buffer;
  /** Its bytes, each as a character. */
  readonly #after: string;
  readonly #compressed = new Map<Coding, Buffer>();
  readonly #making = new Map<Coding, Promise<void>>();
  readonly #heads = new Map<Coding, readonly string[]>();
  #checksum = 0;
  /** Told how many bytes a new form has. */
  onGrowth: ((bytes: number) => void) | undefined;

  private constructor(before: Buffer, after: string, contentType: string, made: Made, asked: Asked) {
    this.#before = before;
    this.#after = after;
    this.contentType = contentType;
    this.made = made;
    this.asked = asked;
  }

  /** Null for bytes that tell no age at their end. */
  static of(bytes: Buffer, contentType: string, made: Made, asked: Asked): HotAnswer | null {
    const at = bytes.lastIndexOf(AGE);
    if (at === -1) return null;
    const start = at + AGE.length;
    let end = start;
    while (isDigit(bytes[end])) end += 1;
    if (end === start || bytes.byteLength - start > MAX_STORED) return null;
    return new HotAnswer(bytes.subarray(0, start), bytes.toString('latin1', end), contentType, made, asked);
  }

  get byteLength(): number {
    return this.#before.byteLength + this.#after.length;
  }

  /** What it takes, with the forms that have been made. */
  get keptBytes(): number {
    let bytes = this.byteLength;
    for (const form of this.#compressed.values()) bytes += form.byteLength;
    return bytes;
  }

  /** The headers that are the same for every caller, made once for each form. */
  head(coding: Coding, make: () => readonly string[]): readonly string[] {
    const known = this.#heads.get(coding) ?? make();
    this.#heads.set(coding, known);
    return known;
  }

  /** The parts to send; undefined while that form has not been made. */
  parts(coding: Coding, nowMs: number): readonly [Buffer, Buffer] | undefined {
    const before = coding === 'identity' ? this.#before : this.#compressed.get(coding);
    if (before === undefined) return undefined;
    const rest = Buffer.from(`${Math.max(0, nowMs - this.made.builtAtMs)}${this.#after}`, 'latin1');
    if (coding === 'identity') return [before, rest];
    return coding === 'br' ? [before, brotliEnd(rest)] : [before, this.#gzipEnd(rest)];
  }

  /** Makes a form that is wanted; those who want it at once wait for the same. */
  make(coding: 'br' | 'gzip'): Promise<void> {
    const begun = this.#making.get(coding) ?? this.#compress(coding);
    this.#making.set(coding, begun);
    return begun;
  }

  async #compress(coding: 'br' | 'gzip'): Promise<void> {
    const bytes = coding === 'br' ? await this.#brotli() : await this.#gzip();
    this.#compressed.set(coding, bytes);
    this.onGrowth?.(bytes.byteLength);
  }

  async #brotli(): Promise<Buffer> {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    return await brotli(this.#before, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  }

  async #gzip(): Promise<Buffer> {
    this.#checksum = crc32(this.#before);
    return Buffer.concat([GZIP_HEAD, await deflated(this.#before, { finishFlush: constants.Z_SYNC_FLUSH })]);
  }

  /** A last block that is stored as it is (RFC 1951, 3.2.4), and the checksum and length of the whole (RFC 1952). */
  #gzipEnd(rest: Buffer): Buffer {
    const end = Buffer.alloc(5 + rest.byteLength + 8);
    end[0] = 1;
    end.writeUInt16LE(rest.byteLength, 1);
    end.writeUInt16LE(rest.byteLength ^ 0xffff, 3);
    rest.copy(end, 5);
    end.writeUInt32LE(crc32(rest, this.#checksum), 5 + rest.byteLength);
    end.writeUInt32LE((this.#before.byteLength + rest.byteLength) >>> 0, 9 + rest.byteLength);
    return end;
  }
}

/** What one stored block can hold. */
const MAX_STORED = 0xffff;

/** A block that is stored as it is and an empty last one (RFC 7932, 9.2). */
function brotliEnd(rest: Buffer): Buffer {
  const end = Buffer.alloc(3 + rest.byteLength + 1);
  // Not the last (1 bit), length in 4 nibbles (2 bits), length less one (16 bits), stored (1 bit), padding.
  end.writeUIntLE(((rest.byteLength - 1) << 3) | (1 << 19), 0, 3);
  rest.copy(end, 3);
  end[end.byteLength - 1] = 3;
  return end;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;
