import { getAddressDecoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/programs/layout/base58.ts';

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
});
