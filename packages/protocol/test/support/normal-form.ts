/** Our decoded values in the vectors' normal form: big integers as text, bytes as the numbers they stand for. */
export function normalForm(value: unknown, like: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return bytesLike(value, like);
  if (Array.isArray(value))
    return value.map((item, i) => normalForm(item, Array.isArray(like) ? like[i] : undefined));
  if (typeof value === 'object' && value !== null) {
    const expected = (like ?? {}) as Record<string, unknown>;
    const entries: [string, unknown][] = [];
    // Fields are getters of the prototype, so they are found by `in`, not among own keys.
    for (const key in value)
      entries.push([key, normalForm((value as Record<string, unknown>)[key], expected[key])]);
    return Object.fromEntries(entries);
  }
  return value;
}

/** Padding is bytes to us and integers of some width to the SDK; one byte of padding may be a plain number. */
function bytesLike(value: Uint8Array, like: unknown): unknown {
  if (typeof like === 'number') return value[0];
  if (!Array.isArray(like)) return Buffer.from(value).toString('hex');
  const whole = (part: Uint8Array) => BigInt(`0x${Buffer.from(part).reverse().toString('hex')}`).toString();
  const width = value.length / like.length;
  return like.map((_, i) => whole(value.subarray(i * width, (i + 1) * width)));
}
