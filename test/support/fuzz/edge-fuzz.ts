import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';

/** The folders of test/support/fuzz/corpus. */
export type Edge =
  | 'answers'
  | 'asks'
  | 'bodies'
  | 'feed'
  | 'frames'
  | 'headers'
  | 'paths'
  | 'progress'
  | 'transactions';

const FOLDER = new URL('corpus/', import.meta.url);
const PACKED = '.deflate';
/** Longer failures are stored compressed. */
const MAX_PLAIN_BYTES = 4_096;
const MINUTE_MS = 60_000;
const MINUTES = Number(process.env.EDGE_FUZZ_MINUTES ?? 0);

/** A number of runs, or as many as fit into some minutes for each property. */
const RUNS: fc.Parameters<[Buffer]> =
  MINUTES > 0
    ? {
        numRuns: Number.POSITIVE_INFINITY,
        interruptAfterTimeLimit: MINUTES * MINUTE_MS,
        markInterruptAsFailure: false,
      }
    : { numRuns: Number(process.env.EDGE_FUZZ_RUNS ?? 500) };

/** Time limit of a test with one property. */
export const FUZZ_TIMEOUT_MS = (MINUTES + 30) * MINUTE_MS;

/** Sound inputs of an edge, and inputs that once failed. */
export function corpusOf(edge: Edge): readonly Buffer[] {
  const folder = new URL(`${edge}/`, FOLDER);
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const bytes = readFileSync(new URL(name, folder));
      return name.endsWith(PACKED) ? inflateRawSync(bytes) : bytes;
    });
}

/**
 * Gives a judge the corpus of an edge as it is, then mutated inputs. The judge throws on a wrong outcome; the smallest such
 * input is stored in the corpus.
 */
export async function fuzz(
  edge: Edge,
  judge: (input: Buffer) => void | Promise<void>,
  mutants: fc.Arbitrary<Buffer> = mutatedBytes(corpusOf(edge)),
): Promise<void> {
  const examples = corpusOf(edge).map((bytes): [Buffer] => [bytes]);
  const property = fc.asyncProperty(mutants, async (input) => judge(input));
  const details = await fc.check(property, { ...RUNS, examples });
  if (!details.failed) return;
  const [input] = details.counterexample ?? [];
  const stored = input === undefined ? '' : `\nThe input is stored as ${store(edge, input)}`;
  throw new Error(`${await fc.asyncDefaultReportMessage(details)}${stored}`, {
    cause: details.errorInstance,
  });
}

function store(edge: Edge, input: Buffer): string {
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 12);
  const isLong = input.length > MAX_PLAIN_BYTES;
  const file = new URL(`${edge}/failure-${digest}${isLong ? PACKED : ''}`, FOLDER);
  writeFileSync(file, isLong ? deflateRawSync(input) : input);
  return fileURLToPath(file);
}

interface Mutation {
  readonly kind: 'set' | 'cut' | 'insert' | 'repeat';
  /** Position as a fraction of the length. */
  readonly at: number;
  readonly byte: number;
  readonly length: number;
}

/** Lengths and versions of formats are single bytes, so their edge values matter more than others. */
const EDGE_BYTES = [0, 1, 2, 0x22, 0x2c, 0x3f, 0x40, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x7f, 0x80, 0x81, 0xff];
const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'cut', 'insert', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.oneof(fc.constantFrom(...EDGE_BYTES), fc.nat(255)),
    length: fc.integer({ min: 1, max: 40 }),
  }),
  { maxLength: 4 },
);

export const mutatedBytes = (corpus: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.tuple(fc.constantFrom(...corpus), mutations).map(([seed, all]) => mutated(seed, all));

function mutated(seed: Buffer, all: readonly Mutation[]): Buffer {
  let bytes = seed;
  for (const { kind, at, byte, length } of all) {
    const place = Math.floor(at * bytes.length);
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
    if (kind === 'set') bytes = Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
    if (kind === 'cut') bytes = Buffer.concat([before, after.subarray(length)]);
    if (kind === 'insert') bytes = Buffer.concat([before, Buffer.alloc(length, byte), after]);
    if (kind === 'repeat') bytes = Buffer.concat([before, after.subarray(0, length), after]);
  }
  return bytes;
}

/** Values in JSON that parsers mistake for others. */
const ODD_JSON = [
  'null',
  'true',
  '""',
  '"0"',
  '"-1"',
  '"18446744073709551616"',
  '"9999999999999999999999999999999999999999"',
  '"__proto__"',
  '"constructor"',
  '0',
  '-1',
  '0.5',
  '1e308',
  '1e400',
  '9007199254740993',
  '18446744073709551616',
  '[]',
  '[[]]',
  '{}',
  '{"length":3}',
  `${'['.repeat(300)}${']'.repeat(300)}`,
];
/** A string, number or literal of JSON, outside of names. */
const SCALAR = /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?|true|false|null/g;

/** JSON in which odd values replace some strings, numbers and literals. It stays well-formed. */
export const mutatedJson = (corpus: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...corpus),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ODD_JSON)), { minLength: 1, maxLength: 2 }),
    )
    .map(([seed, all]) => {
      let text = seed.toString();
      for (const [choice, odd] of all) {
        const found = [...text.matchAll(SCALAR)];
        const picked = found[choice % Math.max(1, found.length)];
        if (picked === undefined) continue;
        text = `${text.slice(0, picked.index)}${odd}${text.slice(picked.index + picked[0].length)}`;
      }
      return Buffer.from(text);
    });
