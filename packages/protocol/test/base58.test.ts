import { type Address, getAddressDecoder, getBase58Decoder, isAddress, isOffCurveAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, addressFromBytes, parseAddress, readAddress } from '../src/layout/base58.ts';
import { base58Of, base58ToBytes } from '../src/layout/base58-text.ts';
import { isOffCurve } from '../src/layout/curve.ts';

const reference = getAddressDecoder();
const read = (bytes: Uint8Array) =>
  readAddress(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);

describe('base58', () => {
  it('encodes any 32 bytes as the Solana library does', () => {
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
  ])('encodes %s', (_, bytes, text) => {
    expect(read(bytes)).toBe(text);
  });

  it('reads at an offset', () => {
    const bytes = new Uint8Array(40);
    bytes[39] = 57;
    expect(readAddress(new DataView(bytes.buffer), 8)).toBe(`${'1'.repeat(31)}z`);
  });

  it('decodes its own output to the same bytes', () => {
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

  it('copies bytes in both directions, so mutating them does not corrupt the cache', () => {
    const bytes = new Uint8Array(32).fill(7);
    const text = addressFromBytes(bytes);
    expect(text).toBe(reference.decode(bytes));
    bytes.fill(1);
    addressBytes(text).fill(2);
    expect([addressBytes(text), parseAddress(text)]).toEqual([new Uint8Array(32).fill(7), text]);
  });

  it('accepts exactly the addresses that the Solana library accepts', () => {
    const almostAddress = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{31,45}$/);
    fc.assert(
      fc.property(fc.oneof(almostAddress, fc.string({ maxLength: 50 })), (text) => {
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
  ])('rejects %j', (text) => {
    expect(() => addressBytes(text as Address)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
  });

  it('rejects text that only ends like a cached address', () => {
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

  it('encodes as the Solana library does, and decodes to the same bytes', () => {
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

  it.each(['0', 'abcI', 'O11', 'l', '11 ', 'é', '\u{1f600}'])('rejects %j', (text) => {
    expect(base58ToBytes(text)).toBeNull();
  });
});

const PRIME = 2n ** 255n - 19n;
const BOUNDARIES = [0n, 1n, 2n, PRIME - 1n, PRIME, PRIME + 1n, 2n ** 255n - 1n, 2n ** 255n, 2n ** 256n - 1n];
/** Values whose deciding number ends in 31 or more zero bits, or is below 64: the fast path gives up on them. */
const FAST_PATH_FAILS = [
  0x44b27bbe6857151458bbd9a3377f7be07b466a6807df855e9a78e586aa78c072n,
  0x771cee9faa31900aa0d0c7d3e3685ab012e4f9b6f92f5d82b7e5dd9e3a5ddb63n,
  0x15b01493a7b43653665180ec35cdf8f848d754540f43394e86cc05363694632dn,
  0x7147a76638340db9c43ab5c438fdf2c431716cc5703e97fb58dd0cf5efe0feen,
  0x4a44a28190d55e46d8f0667c6c05d7b5de8f292a4ebe8a63183baa86185b3684n,
  0x34646135eabb709b6a35a98406f02c8ac275bd9d033b713140371140ae6e13ean,
  0x56b58973e2771659be50e9bfcbf0372a199bd4f96328b9acaefb9b33aa57814fn,
  0xa49e67376f048fc1e559738be7b3b5d1331d07dd28962c822a8d1e2da291a06n,
];
const littleEndian = (y: bigint) =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((y >> BigInt(8 * i)) & 0xffn));

describe('isOffCurve', () => {
  it('agrees with the Solana library', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(isOffCurve(bytes)).toBe(isOffCurveAddress(read(bytes)));
      }),
      { numRuns: 2_000, examples: [...BOUNDARIES, ...FAST_PATH_FAILS].map((y) => [littleEndian(y)]) },
    );
  });
});
