import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeInstruction, knownInstructions } from '../src/instructions.ts';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '../src/program-ids.ts';
import { isProtocolError } from '../src/protocol-error.ts';
import { cases } from './support/cases.ts';
import { DECODERS, type Decoder } from './support/decoders.ts';
import { normalForm } from './support/normal-form.ts';

const RANDOM_INPUTS = cases(20_000, 100_000);

/** An endless, deterministic source of bytes. */
function* noise(seed: string): Generator<Uint8Array, never, number> {
  let size = yield new Uint8Array();
  for (let i = 0; ; i += 1) {
    const digest = createHash('shake256', { outputLength: Math.max(1, size) })
      .update(`${seed}:${i}`)
      .digest();
    size = yield Uint8Array.from(digest.subarray(0, size));
  }
}

/** Reads every field, so that lazy decoding cannot hide a failure. Returns the error code, or 'decoded'. */
function outcome(decoder: Decoder, data: Uint8Array, owner = decoder.program): string {
  try {
    const decoded = decoder.decode({ owner, data });
    expect(JSON.stringify(normalForm(decoded, undefined))).not.toContain('undefined');
    return 'decoded';
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    return error.code;
  }
}

describe.each(DECODERS.map((decoder) => [decoder.name, decoder] as const))('%s', (name, decoder) => {
  const withPrefix = (data: Uint8Array) => {
    data.set(decoder.prefix.subarray(0, data.length));
    return data;
  };

  it('rejects every account that is too short', () => {
    for (let size = 0; size < decoder.minBytes; size += Math.max(1, Math.floor(decoder.minBytes / 200))) {
      expect(outcome(decoder, withPrefix(new Uint8Array(size)))).toBe('ACCOUNT_TOO_SHORT');
    }
    expect(outcome(decoder, withPrefix(new Uint8Array(decoder.minBytes - 1)))).toBe('ACCOUNT_TOO_SHORT');
  });

  it('rejects an account owned by another program', () => {
    expect(outcome(decoder, withPrefix(new Uint8Array(decoder.minBytes)), SYSTEM_PROGRAM)).toBe(
      'ACCOUNT_WRONG_OWNER',
    );
  });

  it('rejects an account with another discriminator', () => {
    if (decoder.prefix.length === 0) return;
    expect(outcome(decoder, new Uint8Array(decoder.minBytes))).toBe('ACCOUNT_WRONG_DISCRIMINATOR');
    expect(outcome(decoder, new Uint8Array(decoder.minBytes).fill(0xff))).toBe('ACCOUNT_WRONG_DISCRIMINATOR');
  });

  it('decodes a body of 0xff bytes completely, or rejects it as malformed', () => {
    const result = outcome(decoder, withPrefix(new Uint8Array(decoder.minBytes).fill(0xff)));
    expect(['decoded', 'ACCOUNT_MALFORMED']).toContain(result);
  });

  it('returns a complete account or a coded error for random bytes', () => {
    const source = noise(name);
    source.next();
    const share = Math.ceil(RANDOM_INPUTS / DECODERS.length);
    const codes = new Map<string, number>();
    for (let i = 0; i < share; i += 1) {
      // Mostly small inputs; occasionally one of full length with the right discriminator.
      const full = i % 100 === 0;
      const size = full ? decoder.minBytes + (i % 700) : (i * 7) % 400;
      const data = source.next(size).value;
      const code = outcome(decoder, full ? withPrefix(data) : data);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect([...codes.values()].reduce((a, b) => a + b, 0)).toBe(share);
    const allowed = ['decoded', 'ACCOUNT_TOO_SHORT', 'ACCOUNT_WRONG_DISCRIMINATOR', 'ACCOUNT_MALFORMED'];
    expect([...codes.keys()].filter((code) => !allowed.includes(code))).toEqual([]);
  });
});

describe('instructions', () => {
  const known = knownInstructions(MAINNET_PROGRAMS);

  it('returns a named instruction or a coded error for random data', () => {
    const source = noise('instructions');
    source.next();
    for (const [programAddress, layouts] of known) {
      for (let i = 0; i < 2_000; i += 1) {
        const data = source.next(i % 60).value;
        const layout = layouts[i % layouts.length];
        if (i % 2 === 0 && layout !== undefined) data.set(layout.discriminator.subarray(0, data.length));
        try {
          const decoded = decodeInstruction(known, { programAddress, accounts: [], data });
          expect(Object.keys(decoded.accounts)).toEqual([]);
        } catch (error) {
          expect(isProtocolError(error)).toBe(true);
        }
      }
    }
  });
});
