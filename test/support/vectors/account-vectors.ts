import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** One account as the official SDK reads it: the bytes, and every field in a normal form. */
export interface AccountCase {
  readonly name: string;
  readonly data: Uint8Array;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface AccountVectors {
  readonly account: string;
  readonly size: number | null;
  readonly discriminator: string | null;
  readonly cases: readonly AccountCase[];
}

const folder = new URL('../../oracle/vectors/', import.meta.url);

/** Reads a committed vector file. */
export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as T;
}

export function accountVectors(name: string): AccountVectors {
  const file = readVectors<
    Omit<AccountVectors, 'cases'> & { cases: (Omit<AccountCase, 'data'> & { data: string })[] }
  >(`accounts/${name}`);
  return { ...file, cases: file.cases.map((each) => ({ ...each, data: inflate(each.data) })) };
}

export function inflate(deflatedBase64: string): Uint8Array {
  return Uint8Array.from(inflateRawSync(Buffer.from(deflatedBase64, 'base64')));
}
