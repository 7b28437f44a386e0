import { parseAccountsJson } from '@sluice/rpc-pool/transport/account-json';
import { describe, expect, it } from 'vitest';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { namesType } from '../../src/http/accept.ts';
import { preferredCoding } from '../../src/http/content-coding.ts';
import { hasDotSegment } from '../../src/http/dot-segments.ts';
import { alreadyHas, entityTags } from '../../src/http/entity-tag.ts';
import { boundedBody } from '../../src/http/request-body.ts';
import { clientOf } from '../../src/limits/client-network.ts';
import { addressOf, Networks } from '../../src/limits/network-address.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from '../support/fuzz/edge-fuzz.ts';

describe('mutated answers of an RPC endpoint', () => {
  it(
    'are what JSON says, or a syntax error',
    () =>
      fuzz('answers', (body) => {
        const expected = plainJson(body);
        try {
          expect(withoutBytes(parseAccountsJson(body))).toEqual(expected?.value);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          // The depth of an answer is bounded; that of the mutated ones never reaches the bound.
          expect(expected).toBeNull();
        }
      }),
    FUZZ_TIMEOUT_MS,
  );
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
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutBytes(each)]));
}

describe('mutated headers and paths', () => {
  const TAGS = entityTags(Buffer.from('{}'));

  it(
    'choose a form of the answer that exists',
    () =>
      fuzz('headers', (bytes) => {
        const text = bytes.toString('latin1');
        for (const length of [0, 5_000])
          expect(['br', 'gzip', 'identity']).toContain(preferredCoding(text, length));
        expect(typeof namesType(text, 'application/json')).toBe('boolean');
        // A tag is recognised only where it is written.
        if (alreadyHas(text, TAGS, 'identity'))
          expect(text.includes('*') || text.includes(TAGS.identity.replace(/^W\//, ''))).toBe(true);
      }),
    FUZZ_TIMEOUT_MS,
  );

  const from = (text: string, peer: string, name: 'forwarded' | 'x-forwarded-for') =>
    clientOf({ get: (asked) => (asked === name ? text : null) }, peer, {
      proxies: new Networks(['10.0.0.0/8']),
      header: name,
    });

  it.each(['forwarded', 'x-forwarded-for'] as const)(
    'name a client that is an address, and the peer unless it is trusted, in %s',
    (name) =>
      fuzz('headers', (bytes) => {
        const text = bytes.toString('latin1');
        expect(from(text, '203.0.113.9', name)).toBe('203.0.113.9');
        const client = from(text, '10.0.0.1', name);
        expect(addressOf(client.replace(/\/64$/, ''))).toBeDefined();
      }),
    FUZZ_TIMEOUT_MS,
  );

  it(
    'have a dot segment where one stands between slashes, and wherever the URL parser resolves one',
    () =>
      fuzz('paths', (bytes) => {
        const target = `/${bytes.toString('latin1')}`;
        const [asked = ''] = target.split(/[?#]/, 1);
        const segments = asked.split('/').slice(1);
        const isDots = (segment: string) => ['.', '..'].includes(segment.replaceAll(/%2e/gi, '.'));
        expect(hasDotSegment(target)).toBe(segments.some(isDots));
        // The parser drops line ends and treats a backslash as a slash. It leaves some dot segments as they are.
        if (!/^\/[\w.%/-]*$/.test(asked) || asked.startsWith('//')) return;
        if (new URL(asked, 'http://a').pathname !== asked) expect(hasDotSegment(target)).toBe(true);
      }),
    FUZZ_TIMEOUT_MS,
  );
});

describe('mutated bodies', () => {
  const LIMIT = 40;

  /** A request whose body arrives in chunks; the first byte says how long they are, the second what its length claims. */
  function requestOf(body: Buffer): Request {
    const size = 1 + ((body[0] ?? 0) % 50);
    const claimed = [null, String(body.length), '0', '-1', '41', '1e9', 'x', '99999999999999999999'];
    const length = claimed[(body[1] ?? 0) % claimed.length] ?? null;
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= body.length) controller.close();
        else controller.enqueue(Uint8Array.from(body.subarray(at, at + size)));
        at += size;
      },
    });
    const headers: HeadersInit = length === null ? {} : { 'content-length': length };
    return new Request('http://a/', { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit);
  }

  it(
    'arrive whole, or are too large by their length or by what they claim',
    () =>
      fuzz('bodies', async (body) => {
        const request = requestOf(body);
        const claims = Number(request.headers.get('content-length') ?? 0) > LIMIT;
        const outcome = await boundedBody(request, LIMIT).catch((error: unknown) => error);
        if (isCodedError(outcome)) {
          expect([outcome.code, claims || body.length > LIMIT]).toEqual(['BODY_TOO_LARGE', true]);
        } else expect(Buffer.from(outcome as Uint8Array).equals(body) && !claims).toBe(true);
      }),
    FUZZ_TIMEOUT_MS,
  );
});
