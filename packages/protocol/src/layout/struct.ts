import { ProtocolError } from '../protocol-error.ts';
import type { Codec, Decoded, Encodable, PaddingRange } from './codec.ts';

export type Fields = Readonly<Record<string, Codec<unknown>>>;
export type StructOf<F extends Fields> = { readonly [K in keyof F]: Decoded<F[K]> };
/** Omitted fields are written as zero. */
export type StructInput<F extends Fields> = { readonly [K in keyof F]?: Encodable<F[K]> | undefined };

export interface StructCodec<F extends Fields> extends Codec<StructOf<F>, StructInput<F>> {
  readonly fields: F;
  /** Byte offset of each field from the start of the struct, for filters and slices. */
  readonly offsets: { readonly [K in keyof F]: number };
  /** Shares a field's decoded value between two structs when its bytes are equal, to save memory and decoding. */
  shareField(field: keyof F & string, from: StructOf<F>, to: StructOf<F>): void;
}

/** The bytes of a lazily decoded struct, and the fields decoded so far. */
class LazyStruct {
  readonly #view: DataView;
  readonly #offset: number;
  readonly #memo: unknown[] = [];

  constructor(view: DataView, offset: number) {
    this.#view = view;
    this.#offset = offset;
  }

  static field(struct: LazyStruct, index: number, codec: Codec<unknown>, offset: number): unknown {
    const known = struct.#memo[index];
    if (known !== undefined) return known;
    const value = codec.read(struct.#view, struct.#offset + offset);
    struct.#memo[index] = value;
    return value;
  }

  static shareField(
    from: LazyStruct,
    to: LazyStruct,
    index: number,
    codec: Codec<unknown>,
    offset: number,
  ): void {
    const bytesOf = (struct: LazyStruct) =>
      new Uint8Array(struct.#view.buffer, struct.#view.byteOffset + struct.#offset + offset, codec.size);
    if (Buffer.compare(bytesOf(from), bytesOf(to)) !== 0) return;
    to.#memo[index] = LazyStruct.field(from, index, codec, offset);
  }
}

/**
 * A struct of fixed layout. Fields are decoded on first access: a query needs about forty numbers of a 62 KB vault, and
 * most of the cost of an eager decode is base58 of addresses that are never used.
 */
export function struct<const F extends Fields>(fields: F): StructCodec<F> {
  const entries: { name: string; codec: Codec<unknown>; offset: number }[] = [];
  let size = 0;
  class Struct extends LazyStruct {}
  for (const [name, codec] of Object.entries(fields)) {
    const index = entries.length;
    const offset = size;
    entries.push({ name, codec, offset });
    Object.defineProperty(Struct.prototype, name, {
      enumerable: true,
      get(this: Struct) {
        return LazyStruct.field(this, index, codec, offset);
      },
    });
    size += codec.size;
  }
  return {
    fields,
    offsets: Object.fromEntries(
      entries.map(({ name, offset }) => [name, offset]),
    ) as StructCodec<F>['offsets'],
    size,
    padding: entries.flatMap(({ name, codec, offset }) =>
      (codec.padding ?? []).map((range) => inside(range, name, offset)),
    ),
    read: (view, offset) => new Struct(view, offset) as unknown as StructOf<F>,
    write(view, offset, value) {
      for (const entry of entries) {
        const part = value[entry.name];
        if (part !== undefined) entry.codec.write(view, offset + entry.offset, part);
      }
    },
    shareField(field, from, to) {
      const index = entries.findIndex(({ name }) => name === field);
      const entry = entries[index];
      if (entry === undefined || !(from instanceof Struct) || !(to instanceof Struct)) return;
      LazyStruct.shareField(from, to, index, entry.codec, entry.offset);
    },
  };
}

/** A range of a part, as a range of the whole. */
function inside({ field, offset, length }: PaddingRange, part: string, partOffset: number): PaddingRange {
  const separator = field === '' || field.startsWith('[') ? '' : '.';
  return { field: `${part}${separator}${field}`, offset: partOffset + offset, length };
}

/** A fixed-length array. Missing items are written as zero. */
export function array<T, I>(item: Codec<T, I>, length: number): Codec<readonly T[], readonly I[]> {
  return {
    size: item.size * length,
    padding: Array.from({ length }, (_, i) =>
      (item.padding ?? []).map((range) => inside(range, '[]', i * item.size)),
    ).flat(),
    read(view, offset) {
      const items: T[] = [];
      for (let i = 0; i < length; i += 1) items.push(item.read(view, offset + i * item.size));
      return items;
    },
    write(view, offset, values) {
      if (values.length > length) {
        throw new ProtocolError('NUMBER_OUT_OF_RANGE', {
          what: 'array length',
          value: String(values.length),
          min: '0',
          max: String(length),
        });
      }
      values.forEach((value, i) => {
        item.write(view, offset + i * item.size, value);
      });
    },
  };
}
