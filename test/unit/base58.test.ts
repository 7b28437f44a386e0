import { type Address, getAddressDecoder, isAddress, isOffCurveAddress } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressBytes, parseAddress, readAddress } from '../../src/programs/layout/base58.ts';
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
});

describe('the curve', () => {
  it('has the points that the Solana library says it has', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(isOffCurve(bytes)).toBe(isOffCurveAddress(read(bytes)));
      }),
      { examples: [[new Uint8Array(32)], [Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0))]] },
    );
  });
});
