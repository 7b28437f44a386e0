const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const FIRST_BYTES = 1 << 18;
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const NEGATIVE = 0x4000;
const ZERO_DIGIT = 48;
/** A `numeric` is stored in base 10000: each digit holds four decimal digits. */
const PER_DIGIT = 4;

/** PostgreSQL type OIDs of array elements. */
const ELEMENT_TYPES = { integer: 23, numeric: 1700 } as const;

/**
 * Encodes rows for a binary `COPY`. Values become bytes as they are added: text for many rows would burden
 * the garbage collector until it is sent, and the server would have to parse it digit by digit.
 */
export class CopyRows {
  #bytes: Buffer;
  #end = 0;

  constructor(expectedBytes = FIRST_BYTES) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes);
  }

  /** All rows, with the header and trailer that `COPY` expects. */
  finish(): Uint8Array {
    const rows = this.#bytes.subarray(0, this.#end);
    return Buffer.concat([SIGNATURE, rows, Buffer.from([0xff, 0xff])]);
  }

  /** The bytes added so far, without header and trailer; pass them to `raw`. */
  fields(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  beginRow(columns: number): void {
    this.#ensure(2);
    this.#int16(columns);
  }

  raw(fields: Uint8Array): void {
    this.#ensure(fields.length);
    this.#bytes.set(fields, this.#end);
    this.#end += fields.length;
  }

  nullField(): void {
    this.#ensure(4);
    this.#int32(-1);
  }

  integer(value: number): void {
    this.#ensure(8);
    this.#int32(4);
    this.#int32(value);
  }

  bigint(value: bigint): void {
    this.#ensure(12);
    this.#int32(8);
    this.#end = this.#bytes.writeBigInt64BE(value, this.#end);
  }

  instant(value: Date): void {
    this.bigint(BigInt(value.getTime() - POSTGRES_EPOCH_MS) * 1_000n);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#ensure(4 + length);
    this.#int32(length);
    this.#end += this.#bytes.write(value, this.#end);
  }

  /** `units` counts units of the last decimal place. Trailing zeros are dropped. */
  numeric(units: bigint, places: number): void {
    const text = (units < 0n ? -units : units).toString();
    const point = units === 0n ? 1 : text.length - places;
    let end = text.length;
    while (end > point && text.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
    const wholeDigits = Math.ceil(Math.max(point, 1) / PER_DIGIT);
    const digits = wholeDigits + Math.ceil((end - point) / PER_DIGIT);
    const length = 8 + 2 * digits;
    this.#ensure(4 + length);
    this.#int32(length);
    this.#int16(digits);
    this.#int16(wholeDigits - 1);
    this.#int16(units < 0n ? NEGATIVE : 0);
    this.#int16(end - point);
    // Digits are aligned to the decimal point: the first may start before the text, the last is padded with
    // zeros.
    const first = point - wholeDigits * PER_DIGIT;
    for (let at = first; at < end; at += PER_DIGIT) this.#int16(digitAt(text, at, end));
  }

  /** @param add writes one element as a field */
  list<T>(type: keyof typeof ELEMENT_TYPES, elements: readonly T[], add: (element: T) => void): void {
    this.#ensure(24);
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

  #ensure(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const more = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + bytes));
    more.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = more;
  }
}

/** Four decimal digits starting at `at`; positions outside the text count as zeros. */
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
