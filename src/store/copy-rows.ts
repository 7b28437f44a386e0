const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIRST_BYTES = 1 << 18;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const NEGATIVE = 0x4000;
const ZERO_DIGIT = 48;
/** Decimal digits in a digit of a `numeric`. */
const PER_DIGIT = 4;

/** What the elements of a list are, by PostgreSQL's own numbers. */
const ELEMENT_TYPES = { integer: 23, numeric: 1700 } as const;

/**
 * Rows in PostgreSQL's binary format of `COPY`. They are bytes at once: text of many rows would be kept, moved and
 * marked by the garbage collector until it is sent, and be read digit by digit by the server.
 */
export class CopyRows {
  #bytes: Buffer;
  #end = 0;

  constructor(expectedBytes = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes);
  }

  /** All rows, as `COPY` takes them. */
  whole(): Uint8Array {
    const rows = this.#bytes.subarray(0, this.#end);
    return Buffer.concat([SIGNATURE, rows, Buffer.from([0xff, 0xff])]);
  }

  /** What was added, for `raw`. */
  fields(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  row(columns: number): void {
    this.#room(2);
    this.#int16(columns);
  }

  raw(fields: Uint8Array): void {
    this.#room(fields.length);
    this.#bytes.set(fields, this.#end);
    this.#end += fields.length;
  }

  nothing(): void {
    this.#room(4);
    this.#int32(-1);
  }

  integer(value: number): void {
    this.#room(8);
    this.#int32(4);
    this.#int32(value);
  }

  bigint(value: bigint): void {
    this.#room(12);
    this.#int32(8);
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
  }

  instant(value: Date): void {
    this.bigint(BigInt(value.getTime() - POSTGRES_EPOCH_MS) * 1_000n);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#room(4 + length);
    this.#int32(length);
    this.#end += this.#bytes.write(value, this.#end);
  }

  /** So many units of the last of the places. Zeros at their end are not kept. */
  numeric(units: bigint, places: number): void {
    const text = (units < 0n ? -units : units).toString();
    const point = units === 0n ? 1 : text.length - places;
    let end = text.length;
    while (end > point && text.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
    const wholeDigits = Math.ceil(Math.max(point, 1) / PER_DIGIT);
    const digits = wholeDigits + Math.ceil((end - point) / PER_DIGIT);
    const length = 8 + 2 * digits;
    this.#room(4 + length);
    this.#int32(length);
    this.#int16(digits);
    this.#int16(wholeDigits - 1);
    this.#int16(units < 0n ? NEGATIVE : 0);
    this.#int16(end - point);
    // Digits are counted from the point: the first one may begin before the text, the last is filled with zeros.
    const first = point - wholeDigits * PER_DIGIT;
    for (let at = first; at < end; at += PER_DIGIT) this.#int16(digitAt(text, at, end));
  }

  /** @param add adds an element as a field */
  list<T>(type: keyof typeof ELEMENT_TYPES, elements: readonly T[], add: (element: T) => void): void {
    this.#room(24);
    const lengthAt = this.#end;
    this.#end += 4;
    this.#int32(elements.length === 0 ? 0 : 1);
    this.#int32(0);
    this.#int32(ELEMENT_TYPES[type]);
    if (elements.length > 0) {
      this.#int32(elements.length);
      this.#int32(1);
    }
    for (const element of elements) add(element);
    this.#bytes.writeInt32BE(this.#end - lengthAt - 4, lengthAt);
  }

  #int16(value: number): void {
    this.#bytes[this.#end] = value >> 8;
    this.#bytes[this.#end + 1] = value;
    this.#end += 2;
  }

  #int32(value: number): void {
    this.#bytes[this.#end] = value >> 24;
    this.#bytes[this.#end + 1] = value >> 16;
    this.#bytes[this.#end + 2] = value >> 8;
    this.#bytes[this.#end + 3] = value;
    this.#end += 4;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const more = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + bytes));
    more.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = more;
  }
}

/** Four decimal digits from a place of a text on; what is before it or beyond its end is zeros. */
function digitAt(text: string, at: number, end: number): number {
  if (at >= 0 && at + PER_DIGIT <= end) {
    return (
      text.charCodeAt(at) * 1_000 +
      text.charCodeAt(at + 1) * 100 +
      text.charCodeAt(at + 2) * 10 +
      text.charCodeAt(at + 3) -
      ZERO_DIGIT * 1_111
    );
  }
  let digit = 0;
  for (let i = at; i < at + PER_DIGIT; i += 1) {
    digit = digit * 10 + (i >= 0 && i < end ? text.charCodeAt(i) - ZERO_DIGIT : 0);
  }
  return digit;
}
