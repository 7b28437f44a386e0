import { parseAccountsJson } from '@sluice/rpc-pool/transport/account-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { namesType } from '../../src/http/accept.ts';
import { preferredCoding } from '../../src/http/content-coding.ts';
import { hasDotSegment } from '../../src/http/dot-segments.ts';
import { alreadyHas, entityTags } from '../../src/http/entity-tag.ts';
import { clientOf } from '../../src/limits/client-network.ts';
import { addressOf, Networks } from '../../src/limits/network-address.ts';
import { SEND_TRANSACTION } from '../../src/rest/sending/routes.ts';
import { wireTransaction } from '../../src/services/sending/wire-transaction.ts';
import { CORPUS } from '../support/fuzz/edge-corpus.ts';

const RUNS = { numRuns: Number(process.env.EDGE_FUZZ_RUNS ?? 500) };

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

function mutated(seed: Uint8Array, all: readonly Mutation[]): Buffer {
  let bytes = Buffer.from(seed);
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

const mutatedFrom = (corpus: readonly (string | Uint8Array)[]) =>
  fc.tuple(fc.constantFrom(...corpus), mutations).map(([seed, all]) => mutated(Buffer.from(seed), all));

describe('mutated transactions', () => {
  const { transaction } = SEND_TRANSACTION.example({} as never).body as { readonly transaction: string };
  const corpus = [Buffer.from(transaction, 'base64'), ...CORPUS.transactions()];

  it('of the corpus are decoded unchanged', () => {
    for (const bytes of corpus) expect(wireTransaction(bytes.toString('base64')).bytes).toEqual(bytes);
  });

  it('are decoded, or refused with a code', () => {
    const property = fc.property(mutatedFrom(corpus), (bytes) => {
      try {
        const { messageBytes, message, signatures } = wireTransaction(bytes.toString('base64'));
        expect(bytes.subarray(-messageBytes.length).equals(messageBytes)).toBe(true);
        // A signer that is listed twice counts once.
        expect(signatures.length).toBeLessThanOrEqual(message.header.numSignerAccounts);
      } catch (error) {
        if (!isCodedError(error)) throw error;
        expect(['TRANSACTION_MALFORMED', 'TRANSACTION_TOO_LARGE']).toContain(error.code);
      }
    });
    fc.assert(property, RUNS);
  });
});

describe('mutated answers of an RPC endpoint', () => {
  it('are what JSON says, or a syntax error', () => {
    const property = fc.property(mutatedFrom(CORPUS.answers()), (body) => {
      const expected = plainJson(body);
      try {
        expect(withoutBytes(parseAccountsJson(body))).toEqual(expected?.value);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        // The depth of an answer is bounded; that of the mutated ones never reaches the bound.
        expect(expected).toBeNull();
      }
    });
    fc.assert(property, RUNS);
  });
});

/** The value by `JSON.parse`; null for what is no JSON in UTF-8. */
function plainJson(body: Buffer): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)) };
  } catch {
    return null;
  }
}

/** Decoded account data as base64, and exact integers as numbers. */
function withoutBytes(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutBytes(each)]));
}

describe('mutated headers and paths', () => {
  const header = mutatedFrom(CORPUS.headers).map((bytes) => bytes.toString('latin1'));

  it('choose a form of the answer that exists', () => {
    const tags = entityTags(Buffer.from('{}'));
    const property = fc.property(header, fc.nat(5_000), (text, length) => {
      expect(['br', 'gzip', 'identity']).toContain(preferredCoding(text, length));
      expect(typeof namesType(text, 'application/json')).toBe('boolean');
      // A tag is recognised only where it is written.
      if (alreadyHas(text, tags, 'identity'))
        expect(text.includes('*') || text.includes(tags.identity.replace(/^W\//, ''))).toBe(true);
    });
    fc.assert(property, RUNS);
  });

  it('name a client that is an address, and the peer unless it is trusted', () => {
    const from = (text: string, peer: string, name: 'forwarded' | 'x-forwarded-for') =>
      clientOf({ get: (asked) => (asked === name ? text : null) }, peer, {
        proxies: new Networks(['10.0.0.0/8']),
        header: name,
      });
    const property = fc.property(header, fc.constantFrom('forwarded', 'x-forwarded-for'), (text, name) => {
      expect(from(text, '203.0.113.9', name)).toBe('203.0.113.9');
      const client = from(text, '10.0.0.1', name);
      expect(addressOf(client.replace(/\/64$/, ''))).toBeDefined();
    });
    fc.assert(property, RUNS);
  });

  it('have a dot segment where one stands between slashes, and wherever the URL parser resolves one', () => {
    const path = mutatedFrom(CORPUS.paths).map((bytes) => `/${bytes.toString('latin1')}`);
    const property = fc.property(path, (target) => {
      const [asked = ''] = target.split(/[?#]/, 1);
      const segments = asked.split('/').slice(1);
      const isDots = (segment: string) => ['.', '..'].includes(segment.replaceAll(/%2e/gi, '.'));
      expect(hasDotSegment(target)).toBe(segments.some(isDots));
      // The parser drops line ends and treats a backslash as a slash. It leaves some dot segments as they are.
      if (!/^\/[\w.%/-]*$/.test(asked) || asked.startsWith('//')) return;
      if (new URL(asked, 'http://a').pathname !== asked) expect(hasDotSegment(target)).toBe(true);
    });
    fc.assert(property, RUNS);
  });
});
