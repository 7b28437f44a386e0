import { type Address, getAddressDecoder, getBase58Decoder, isAddress, isOffCurveAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, parseAddress, readAddress } from '../../src/programs/layout/base58.ts';
import { base58Of, base58ToBytes } from '../../src/programs/layout/base58-text.ts';
import { isOffCurve } from '../../src/programs/layout/curve.ts';

const reference = getAddressDecoder();
const read = (bytes: Uint8Array) =>
  readAddress(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);

describe('base58', () => {
  it('writes what the Solana library writes, for any 32 bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.integer({ min: 0, max: 32 }),
        (bytes, zeros) => {
          bytes.fill(0, 0, zeros);
          expect(read(bytes)).toBe(reference.decode(bytes));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['all zero', new Uint8Array(32), '1'.repeat(32)],
    ['all ones', new Uint8Array(32).fill(0xff), 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'],
  ])('writes %s', (_, bytes, text) => {
    expect(read(bytes)).toBe(text);
  });

  it('reads at an offset', () => {
    const bytes = new Uint8Array(40);
    bytes[39] = 57;
    expect(readAddress(new DataView(bytes.buffer), 8)).toBe(`${'1'.repeat(31)}z`);
  });

  it('gives back the bytes of what it wrote', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.integer({ min: 0, max: 32 }),
        (bytes, zeros) => {
          bytes.fill(0, 0, zeros);
          expect(addressBytes(read(bytes))).toEqual(bytes);
        },
      ),
    );
  });

  it('accepts exactly the addresses that the Solana library accepts', () => {
    const nearly = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{31,45}$/);
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ maxLength: 50 })), (text) => {
        const accepted = () => parseAddress(text);
        if (isAddress(text)) expect(accepted()).toBe(text);
        else expect(accepted).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '',
    '1'.repeat(31),
    '1'.repeat(33),
    'z'.repeat(44),
    '0'.repeat(32),
    'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgm é',
  ])('refuses %j', (text) => {
    expect(() => addressBytes(text as Address)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
  });

  it('refuses what only ends like an address that it has accepted', () => {
    const accepted = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
    for (const text of [accepted, accepted]) expect(parseAddress(text)).toBe(accepted);
    for (const text of [
      accepted.slice(-3),
      accepted.slice(-31),
      accepted + accepted,
      `0${accepted.slice(1)}`,
    ]) {
      expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
    }
    const another = `L${accepted.slice(1)}`;
    expect([parseAddress(another), parseAddress(accepted)]).toEqual([another, accepted]);
  });
});

describe('base58 of any length', () => {
  const anything = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 40 }));

  it('writes what the Solana library writes, and gives back the bytes of it', () => {
    const library = getBase58Decoder();
    fc.assert(
      fc.property(anything, ([bytes, zeros]) => {
        bytes.fill(0, 0, zeros);
        const text = base58Of(bytes);
        expect(text).toBe(library.decode(bytes));
        expect(base58ToBytes(text)).toEqual(bytes);
      }),
      { numRuns: 1_000, examples: [[[new Uint8Array(1_232).fill(0xff), 0]], [[new Uint8Array(), 0]]] },
    );
  });

  it.each(['0', 'abcI', 'O11', 'l', '11 ', 'é', '\u{1f600}'])('has no bytes for %j', (text) => {
    expect(base58ToBytes(text)).toBeNull();
  });
});

const PRIME = 2n ** 255n - 19n;
const AT_THE_EDGE = [0n, 1n, 2n, PRIME - 1n, PRIME, PRIME + 1n, 2n ** 255n - 1n, 2n ** 255n, 2n ** 256n - 1n];
const littleEndian = (y: bigint) =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((y >> BigInt(8 * i)) & 0xffn));

describe('the curve', () => {
  it('has the points that the Solana library says it has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(isOffCurve(bytes)).toBe(isOffCurveAddress(read(bytes)));
      }),
      { numRuns: 2_000, examples: AT_THE_EDGE.map((y) => [littleEndian(y)]) },
    );
  });
});
