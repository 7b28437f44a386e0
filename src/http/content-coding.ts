import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

/** Below this a packet is not filled anyway. */
export const WORTH_COMPRESSING_BYTES = 1_024;
/**
 * The first caller of an answer waits for its compression. The least that each can do is an eleventh larger at most, and
 * takes a third to six tenths of the time (260 and 490 KB of JSON).
 */
const BROTLI_QUALITY = 1;
const GZIP_LEVEL = 1;
/** What a caller does not mention may still be sent as it is, after everything that it does mention. */
const UNMENTIONED = 0.0005;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** How a body of that size is best sent to a caller with this `Accept-Encoding`. */
export function preferredCoding(header: string | null, byteLength: number): Coding {
  if (header === null) return 'identity';
  const weights = weightsOf(header);
  if (byteLength < WORTH_COMPRESSING_BYTES && weights.identity > 0) return 'identity';
  let [best, most]: [Coding, number] = ['identity', weights.identity];
  for (const coding of ['gzip', 'br'] as const) {
    if (weights[coding] > 0 && weights[coding] >= most) [best, most] = [coding, weights[coding]];
  }
  return best;
}

export async function compressed(bytes: Uint8Array, coding: 'br' | 'gzip'): Promise<Uint8Array> {
  // Room for all of it at once: it is made on another thread, which is gone to again for every further piece.
  const chunkSize = Math.max(bytes.byteLength, constants.Z_MIN_CHUNK);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  const made =
    coding === 'gzip'
      ? await gzipped(bytes, { level: GZIP_LEVEL, chunkSize })
      : await brotli(bytes, { params, chunkSize });
  // Who keeps it shall not keep all that room.
  return new Uint8Array(made);
}

type Weights = Readonly<Record<Coding, number>>;

const PART = /^\s*([\w*-]+)\s*(?:;\s*q\s*=\s*(\d(?:\.\d*)?)\s*)?$/;

function weightsOf(header: string): Weights {
  const given = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [, name, weight = '1'] = PART.exec(part) ?? [];
    if (name !== undefined) given.set(name === 'x-gzip' ? 'gzip' : name, Number(weight));
  }
  const others = given.get('*');
  return {
    br: given.get('br') ?? others ?? 0,
    gzip: given.get('gzip') ?? others ?? 0,
    identity: given.get('identity') ?? others ?? UNMENTIONED,
  };
}
