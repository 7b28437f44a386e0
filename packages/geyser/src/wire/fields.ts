import { malformed } from '../errors.ts';
import { WireReader, WireType } from './reader.ts';
import { WireWriter } from './writer.ts';

/** A field of a message: `V` is its decoded value, `I` what an encoder accepts. */
export interface Field<V, I = V> {
  readonly number: number;
  /** The value of an absent field. */
  initial(): V;
  /** False: the wire type does not fit, and the field is skipped like an unknown one. */
  accepts(wireType: number): boolean;
  /** Reads what follows the tag; `previous` is what earlier occurrences gave. */
  read(reader: WireReader, wireType: number, previous: V): V;
  write(writer: WireWriter, value: I): void;
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>;
/** A decoded message: every field is present. */
export type Decoded<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer V, infer _> ? V : never;
};
/** A message to encode: absent fields have their default. */
export type Input<F extends Fields> = {
  readonly [K in keyof F]?: (F[K] extends Field<infer _, infer I> ? I : never) | undefined;
};

/** A type of values on the wire. */
export interface Type<V, I = V> {
  readonly wireType: number;
  read(reader: WireReader): V;
  write(writer: WireWriter, value: I): void;
}

interface ScalarType<V> extends Type<V> {
  readonly zero: V;
}

export const uint64: ScalarType<bigint> = {
  wireType: WireType.VARINT,
  zero: 0n,
  read: (reader) => reader.uint64(),
  write: (writer, value) => writer.varint(value),
};
export const int64: ScalarType<bigint> = { ...uint64, read: (reader) => reader.int64() };
export const uint32: ScalarType<number> = {
  wireType: WireType.VARINT,
  zero: 0,
  read: (reader) => reader.uint32(),
  write: (writer, value) => writer.uint32(value),
};
/** Enumerations too; values that are not known yet stay numbers. */
export const int32: ScalarType<number> = {
  ...uint32,
  read: (reader) => reader.int32(),
  write: (writer, value) => (value < 0 ? writer.varint(BigInt(value)) : writer.uint32(value)),
};
export const bool: ScalarType<boolean> = {
  wireType: WireType.VARINT,
  zero: false,
  read: (reader) => reader.uint64() !== 0n,
  write: (writer, value) => writer.uint32(value ? 1 : 0),
};
export const double: ScalarType<number> = {
  wireType: WireType.FIXED64,
  zero: 0,
  read: (reader) => reader.double(),
  write: (writer, value) => writer.double(value),
};
export const text: ScalarType<string> = {
  wireType: WireType.BYTES,
  zero: '',
  read: (reader) => reader.text(),
  write: (writer, value) => writer.text(value),
};
/** Decoded ones are views into the message. */
export const bytes: ScalarType<Uint8Array> = {
  wireType: WireType.BYTES,
  zero: new Uint8Array(),
  read: (reader) => reader.bytes(),
  write: (writer, value) => writer.bytes(value),
};

/** Absent and the default are the same. */
export function one<V>(number: number, type: ScalarType<V>): Field<V> {
  const isDefault = (value: V) =>
    value instanceof Uint8Array ? value.length === 0 : Object.is(value, type.zero);
  return {
    number,
    initial: () => type.zero,
    accepts: (wireType) => wireType === type.wireType,
    read: (reader) => type.read(reader),
    write: (writer, value) => {
      if (!isDefault(value)) writeTagged(writer, number, type, value);
    },
  };
}

/** Null when absent. */
export function optional<V, I>(number: number, type: Type<V, I>): Field<V | null, I | null> {
  return {
    number,
    initial: () => null,
    accepts: (wireType) => wireType === type.wireType,
    read: (reader) => type.read(reader),
    write: (writer, value) => {
      if (value !== null) writeTagged(writer, number, type, value);
    },
  };
}

/** Numbers are written packed and read in both forms. */
export function repeated<V, I>(number: number, type: Type<V, I>): Field<readonly V[], readonly I[]> {
  const isPackable = type.wireType !== WireType.BYTES;
  return {
    number,
    initial: () => [],
    accepts: (wireType) => wireType === type.wireType || (isPackable && wireType === WireType.BYTES),
    read: (reader, wireType, previous) => {
      // Made by `initial` for this message.
      const list = previous as V[];
      const readOne = () => {
        reader.countElement();
        list.push(type.read(reader));
      };
      if (wireType === type.wireType) readOne();
      else {
        reader.delimited(() => {
          while (!reader.done) readOne();
        });
      }
      return list;
    },
    write: (writer, values) => {
      if (values.length === 0) return;
      if (isPackable) {
        writer.tag(number, WireType.BYTES);
        writer.delimited(() => {
          for (const value of values) type.write(writer, value);
        });
      } else for (const value of values) writeTagged(writer, number, type, value);
    },
  };
}

/** A map from texts. */
export function mapOf<F extends Fields>(
  number: number,
  type: Message<F>,
): Field<ReadonlyMap<string, Decoded<F>>, ReadonlyMap<string, Input<F>>> {
  const entry = message({ key: one(1, text), value: optional(2, type) });
  return {
    number,
    initial: () => new Map(),
    accepts: (wireType) => wireType === WireType.BYTES,
    read: (reader, _, previous) => {
      reader.countElement();
      const { key, value } = entry.read(reader);
      // Made by `initial` for this message.
      return (previous as Map<string, Decoded<F>>).set(key, value ?? type.decode(new Uint8Array()));
    },
    write: (writer, map) => {
      for (const [key, value] of map) writeTagged(writer, number, entry, { key, value });
    },
  };
}

export interface Message<F extends Fields> extends Type<Decoded<F>, Input<F>> {
  encode(value: Input<F>): Uint8Array;
  /** Throws a GeyserError when the bytes are no message. Unknown fields are skipped. */
  decode(bytes: Uint8Array): Decoded<F>;
}

export type DecodedOf<M> = M extends Message<infer F> ? Decoded<F> : never;
export type InputOf<M> = M extends Message<infer F> ? Input<F> : never;

/** @param oneOf fields of which a message has at most one; the last on the wire counts */
export function message<F extends Fields>(fields: F, oneOf: readonly (keyof F)[] = []): Message<F> {
  const named = Object.entries(fields);
  const byNumber: (readonly [string, Field<unknown, unknown>] | undefined)[] = [];
  for (const entry of named) byNumber[entry[1].number] = entry;
  const exclusive = new Set<string>(oneOf.map(String));

  const read = (reader: WireReader): Decoded<F> => {
    const result: Record<string, unknown> = {};
    for (const [name, field] of named) result[name] = field.initial();
    while (!reader.done) {
      const tag = reader.uint32();
      const wireType = tag & 7;
      if (tag < 8) throw malformed('a field has the number 0');
      const entry = byNumber[tag >>> 3];
      if (entry === undefined || !entry[1].accepts(wireType)) {
        reader.skip(wireType);
        continue;
      }
      const [name, field] = entry;
      if (exclusive.has(name)) for (const each of exclusive) if (each !== name) result[each] = null;
      result[name] = field.read(reader, wireType, result[name]);
    }
    return result as Decoded<F>;
  };
  const writeFields = (writer: WireWriter, value: Input<F>) => {
    for (const [name, field] of named) {
      const part = value[name];
      if (part !== undefined) field.write(writer, part);
    }
  };
  return {
    wireType: WireType.BYTES,
    read: (reader) => reader.delimited(() => read(reader)),
    write: (writer, value) => writer.delimited(() => writeFields(writer, value)),
    encode(value) {
      const writer = new WireWriter();
      writeFields(writer, value);
      return writer.finish();
    },
    decode: (bytes) => read(new WireReader(bytes)),
  };
}

function writeTagged<V, I>(writer: WireWriter, number: number, type: Type<V, I>, value: I): void {
  writer.tag(number, type.wireType);
  type.write(writer, value);
}
