/** Writes a number below 2^53 in groups of seven bits, the lowest first. Returns where it ends. */
export function writeVarint(into: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  while (rest >= 128) {
    into[end] = (rest % 128) + 128;
    end += 1;
    rest = Math.floor(rest / 128);
  }
  into[end] = rest;
  return end + 1;
}

const WORD = 32n;

/** Writes 64 bits as two numbers of 32. Returns where it ends. */
export function writeU64(into: Uint8Array, at: number, value: bigint): number {
  const end = writeVarint(into, at, Number(value >> WORD));
  return writeVarint(into, end, Number(value & 0xffff_ffffn));
}

/** Reads bytes one after the other. */
export class ByteCursor {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at];
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('packed bytes end early');
      this.at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  u64(): bigint {
    const high = this.varint();
    const low = this.varint();
    return high === 0 ? BigInt(low) : (BigInt(high) << WORD) | BigInt(low);
  }
}
