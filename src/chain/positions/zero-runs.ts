import { type ByteCursor, writeVarint } from './varint.ts';

/** A shorter run of zeros is cheaper inside the bytes around it. */
const MIN_RUN = 4;
const WORD_BYTES = 4;
const NO_WORDS = new Uint32Array(0);

/** Most bytes that packing so many bytes can take. */
export const maxPackedBytes = (length: number) => length + 16;

/**
 * Writes bytes with their runs of zeros left out: pairs of the length of a run and the bytes after it. Zeros at the end
 * are not written at all.
 *
 * @returns where it ends in `into`
 */
export function packZeroRuns(data: Uint8Array, into: Uint8Array, at: number): number {
  const { length } = data;
  const words = wordsOf(data);
  let end = at;
  for (let i = 0; i < length; ) {
    const runStart = i;
    i = endOfZeros(data, words, i);
    if (i === length) break;
    const start = i;
    let literalEnd = i + 1;
    for (i = literalEnd; i < length && i - literalEnd < MIN_RUN; i += 1) {
      if (data[i] !== 0) literalEnd = i + 1;
    }
    i = literalEnd;
    end = writeVarint(into, end, start - runStart);
    end = writeVarint(into, end, literalEnd - start);
    into.set(data.subarray(start, literalEnd), end);
    end += literalEnd - start;
  }
  return end;
}

/** Most of a large account is zeros, which are passed a word at a time. */
function endOfZeros(data: Uint8Array, words: Uint32Array, start: number): number {
  let at = start;
  while (at < data.length && data[at] === 0) {
    at += 1;
    if (at % WORD_BYTES !== 0) continue;
    let word = at / WORD_BYTES;
    while (word < words.length && words[word] === 0) word += 1;
    at = word * WORD_BYTES > at ? word * WORD_BYTES : at;
  }
  return at;
}

/** The whole words of the bytes; none when they do not begin at one. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint32Array {
  const isAligned = byteOffset % WORD_BYTES === 0;
  return isAligned ? new Uint32Array(buffer, byteOffset, Math.floor(length / WORD_BYTES)) : NO_WORDS;
}

/** Restores what `packZeroRuns` wrote from the cursor to `end` into zeroed bytes. @throws RangeError when it does not fit */
export function unpackZeroRuns(cursor: ByteCursor, end: number, into: Uint8Array): void {
  for (let at = 0; cursor.at < end; ) {
    at += cursor.varint();
    const length = cursor.varint();
    if (cursor.at + length > end) throw new RangeError('packed bytes end early');
    into.set(cursor.bytes.subarray(cursor.at, cursor.at + length), at);
    cursor.at += length;
    at += length;
  }
}
