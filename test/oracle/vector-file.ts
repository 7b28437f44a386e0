import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import type { Json } from './normalise.ts';

export interface AccountCase {
  name: string;
  note: string;
  bytes: Buffer;
  fields: Json;
}

export interface AccountVectors {
  /** The file's name without its ending. */
  file: string;
  account: string;
  program: string;
  /** Bytes of the whole account; null when accounts of this kind differ in length. */
  size: number | null;
  /** Hex of the first bytes that tell the account's kind; null where there are none. */
  discriminator: string | null;
  cases: AccountCase[];
}

const root = join(dirname(fileURLToPath(import.meta.url)), 'vectors');

export function writeAccountVectors(vectors: AccountVectors): void {
  const { file, cases, ...head } = vectors;
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) throw new Error(`${file}: two cases have one name`);
  const lines = cases.map(({ name, note, bytes, fields }) => ({
    name,
    note,
    data: deflateRawSync(bytes, { level: 9 }).toString('base64'),
    fields,
  }));
  writeVectors(join('accounts', `${file}.json`), head, lines);
}

/** One case on one line: small files, and a diff shows which case changed. */
export function writeVectors(path: string, head: Record<string, Json>, cases: Json[]): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  const opening = Object.entries(head).map(([name, value]) => `"${name}":${JSON.stringify(value)},\n`);
  const body = cases.map((line) => JSON.stringify(line)).join(',\n');
  writeFileSync(target, `{\n${opening.join('')}"cases":[\n${body}\n]\n}\n`);
}
