import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

/** A smaller body fits one packet anyway. */
const WORTH_COMPRESSING_BYTES = 1_024;
/** Effort of compressing. */
export type Effort = 'fast' | 'good' | 'best';

/**
 * `fast`: the first caller of an answer waits for its compression. The fastest levels take a third to six tenths of the
 * time of the defaults for at most 9 % more bytes (JSON of 260 and 490 KB). `good`: half a second for the nine megabytes of
 * GraphiQL, once. `best`: for the build; the next level would take five times as long for 6 % fewer bytes.
 */
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { fast: 1, good: 5, best: 9 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { fast: 1, good: 6, best: 9 };
/** Weight of `identity` where the header does not mention it: acceptable, but less than any mentioned coding. */
const IDENTITY_WEIGHT = 0.0005;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The coding to use for a body of that size and a caller with this `Accept-Encoding`; null for no such header. */
export function preferredCoding(header: string | null, byteLength: number): Coding {
  if (header === null) return 'identity';
  const weights = codingWeights(header);
  if (byteLength < WORTH_COMPRESSING_BYTES && weights.identity > 0) return 'identity';
  let [best, most]: [Coding, number] = ['identity', weights.identity];
  for (const coding of ['gzip', 'br'] as const) {
    if (weights[coding] > 0 && weights[coding] >= most) [best, most] = [coding, weights[coding]];
  }
  return best;
}

export async function compressed(
  bytes: Uint8Array,
  coding: 'br' | 'gzip',
  effort: Effort = 'fast',
): Promise<Uint8Array> {
  // One output chunk for everything: each further chunk would be another trip to the thread pool.
  const chunkSize = Math.max(bytes.byteLength, constants.Z_MIN_CHUNK);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  const output =
    coding === 'gzip'
      ? await gzipped(bytes, { level: GZIP_LEVEL[effort], chunkSize })
      : await brotli(bytes, { params, chunkSize });
  // Copies the chunk so cached answers do not retain the oversized buffer.
  return new Uint8Array(output);
}

type Weights = Readonly<Record<Coding, number>>;

const PART = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(\d(?:\.\d*)?)\s*)?$/;

function codingWeights(header: string): Weights {
  const given = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] = PART.exec(part) ?? [];
    if (name !== undefined) given.set(name === 'x-gzip' ? 'gzip' : name, Number(weight));
  }
  const wildcard = given.get('*');
  return {
    br: given.get('br') ?? wildcard ?? 0,
    gzip: given.get('gzip') ?? wildcard ?? 0,
    identity: given.get('identity') ?? wildcard ?? IDENTITY_WEIGHT,
  };
}
