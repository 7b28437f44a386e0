/** Memory is taken in pieces of this size. */
const SLAB_BYTES = 2 ** 20;
/** Places are counted in units, so that 32 bits reach 16 GB. */
const UNIT_BYTES = 4;
const UNITS_PER_SLAB = SLAB_BYTES / UNIT_BYTES;
/** Entry number and length of a record. */
const HEAD_BYTES = 8;
/** Memory is compacted while more than one part in so many of it is garbage. */
const GARBAGE_PART = 4;

interface Slab {
  readonly bytes: Uint8Array;
  readonly words: DataView;
  used: number;
  garbage: number;
}

/**
 * Records in large pieces of memory. Replaced records leave garbage, which is compacted one slab at a time: about half a
 * millisecond for each megabyte written.
 */
export class RecordSlabs {
  readonly #slabs: Slab[] = [];
  readonly #empty: number[] = [];
  #open = -1;
  #used = 0;
  #garbage = 0;

  get memoryBytes(): number {
    return this.#slabs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Copies a record. Returns its place, which `compact` may change. */
  add(entry: number, record: Uint8Array): number {
    const size = HEAD_BYTES + Math.ceil(record.length / UNIT_BYTES) * UNIT_BYTES;
    const slab = this.#withRoom(size);
    const start = slab.used;
    slab.words.setUint32(start, entry);
    slab.words.setUint32(start + 4, record.length);
    slab.bytes.set(record, start + HEAD_BYTES);
    slab.used += size;
    this.#used += size;
    return this.#open * UNITS_PER_SLAB + start / UNIT_BYTES;
  }

  /** The bytes at a place. They are overwritten later: copy what must last. */
  read(place: number): Uint8Array {
    const { slab, start } = this.#at(place);
    const from = start + HEAD_BYTES;
    return slab.bytes.subarray(from, from + slab.words.getUint32(start + 4));
  }

  /** One byte of the record at a place. */
  byteAt(place: number, at: number): number {
    const { slab, start } = this.#at(place);
    return slab.bytes[start + HEAD_BYTES + at] ?? 0;
  }

  remove(place: number): void {
    const { slab, start } = this.#at(place);
    const size = sizeAt(slab, start);
    slab.garbage += size;
    this.#garbage += size;
  }

  /** Moves the records of the slab with the most garbage if there is too much. `placeOf` tells where an entry is. */
  compact(
    placeOf: (entry: number) => number | undefined,
    moved: (entry: number, place: number) => void,
  ): void {
    if (this.#used < SLAB_BYTES || this.#garbage * GARBAGE_PART < this.#used) return;
    let worst = -1;
    this.#slabs.forEach(({ garbage }, i) => {
      if (i !== this.#open && garbage > (this.#slabs[worst]?.garbage ?? 0)) worst = i;
    });
    const slab = this.#slabs[worst];
    if (slab === undefined) return;
    for (let start = 0; start < slab.used; start += sizeAt(slab, start)) {
      const entry = slab.words.getUint32(start);
      const place = worst * UNITS_PER_SLAB + start / UNIT_BYTES;
      if (placeOf(entry) === place) moved(entry, this.add(entry, this.read(place)));
    }
    this.#used -= slab.used;
    this.#garbage -= slab.garbage;
    this.#slabs[worst] = emptied(slab);
    this.#empty.push(worst);
  }

  #withRoom(size: number): Slab {
    const open = this.#slabs[this.#open];
    if (open !== undefined && open.used + size <= open.bytes.length) return open;
    const reused = size <= SLAB_BYTES ? this.#empty.pop() : undefined;
    this.#open = reused ?? this.#slabs.length;
    const slab = this.#slabs[this.#open];
    if (slab !== undefined) return slab;
    const created = slabOf(new Uint8Array(Math.max(size, SLAB_BYTES)));
    this.#slabs.push(created);
    return created;
  }

  #at(place: number): { readonly slab: Slab; readonly start: number } {
    const slab = this.#slabs[Math.floor(place / UNITS_PER_SLAB)];
    if (slab === undefined) throw new RangeError(`no record at ${place}`);
    return { slab, start: (place % UNITS_PER_SLAB) * UNIT_BYTES };
  }
}

function slabOf(bytes: Uint8Array): Slab {
  return { bytes, words: new DataView(bytes.buffer), used: 0, garbage: 0 };
}

/** A slab for one large record goes back to the usual size. */
function emptied({ bytes }: Slab): Slab {
  return slabOf(bytes.length === SLAB_BYTES ? bytes : new Uint8Array(SLAB_BYTES));
}

function sizeAt({ words }: Slab, start: number): number {
  return HEAD_BYTES + Math.ceil(words.getUint32(start + 4) / UNIT_BYTES) * UNIT_BYTES;
}
