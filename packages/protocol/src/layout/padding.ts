import type { Codec, PaddingRange } from './codec.ts';

/** Padding of an account that is not zero: a newer program may store something there. */
export interface UsedPadding {
  /** Path of the field, with `[]` for any item of an array: `borrows[].padding2`. */
  readonly field: string;
  /** Offset in the account of the first byte of the field that is not zero. */
  readonly offset: number;
}

/** Returns the padding that is not zero, in the order of the account; an empty list for almost every account. */
export type PaddingScan = (data: Uint8Array) => readonly UsedPadding[];

/** The part of an account's layout that the scan needs. */
interface PaddedLayout {
  readonly discriminator: Uint8Array;
  readonly body: { readonly padding?: readonly PaddingRange[] };
}

/** Neighbouring ranges, compared in one call. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly ranges: readonly PaddingRange[];
  /** As many zeros. */
  readonly zeros: Uint8Array;
}

/** Up to this length a loop is faster than a native call. */
const SHORT_BYTES = 16;
const NONE: readonly UsedPadding[] = [];

/** Marks a field as padding: bytes that the program does not use and leaves zero. */
export function padding<T, I>(codec: Codec<T, I>): Codec<T, I> {
  return { ...codec, padding: [{ field: '', offset: 0, length: codec.size }] };
}

/** Prepares the scan of an account's padding. Bytes beyond the layout are not scanned. */
export function paddingScan(layout: PaddedLayout): PaddingScan {
  const runs = runsOf(paddingOf(layout));
  return (data) => {
    let used: UsedPadding[] | undefined;
    for (const run of runs) {
      if (isZero(data, run)) continue;
      used ??= [];
      used.push(...usedIn(data, run));
    }
    return used ?? NONE;
  };
}

/** Every padding range of an account, by offset from its first byte. */
export function paddingOf({ discriminator, body }: PaddedLayout): readonly PaddingRange[] {
  const start = discriminator.length;
  return (body.padding ?? []).map((range) => ({ ...range, offset: start + range.offset }));
}

function runsOf(ranges: readonly PaddingRange[]): readonly Run[] {
  const joined: PaddingRange[][] = [];
  let end = -1;
  for (const range of ranges) {
    if (range.offset === end) joined.at(-1)?.push(range);
    else joined.push([range]);
    end = range.offset + range.length;
  }
  return joined.map((each) => {
    const start = each[0]?.offset ?? 0;
    const length = each.reduce((sum, range) => sum + range.length, 0);
    return { start, end: start + length, ranges: each, zeros: new Uint8Array(length) };
  });
}

function isZero(data: Uint8Array, { start, end, zeros }: Run): boolean {
  if (end - start > SHORT_BYTES) return Buffer.compare(zeros, data.subarray(start, end)) === 0;
  for (let i = start; i < end; i += 1) if (data[i] !== 0) return false;
  return true;
}

function usedIn(data: Uint8Array, { ranges }: Run): UsedPadding[] {
  return ranges.flatMap(({ field, offset, length }) => {
    const at = data.subarray(offset, offset + length).findIndex((byte) => byte !== 0);
    return at < 0 ? [] : [{ field, offset: offset + at }];
  });
}
