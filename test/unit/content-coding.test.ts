import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressed } from '../../src/http/content-coding.ts';

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync };

describe.each(['br', 'gzip'] as const)('what is compressed as %s', (coding) => {
  it.each([0, 1, 63, 64, 1_024, 300_000])('is the same again, of %d bytes', async (length) => {
    const bytes = Buffer.from('{"usd":"0.25"},'.repeat(Math.ceil(length / 15))).subarray(0, length);
    expect(UNPACK[coding](await compressed(bytes, coding)).equals(bytes)).toBe(true);
  });

  it('is the same again where nothing can be made shorter', async () => {
    const bytes = Uint8Array.from({ length: 50_000 }, (_, i) => Math.imul(i, 2_654_435_761) >>> 24);
    expect(UNPACK[coding](await compressed(bytes, coding)).equals(bytes)).toBe(true);
  });

  it('holds no more memory than it has bytes', async () => {
    const packed = await compressed(Buffer.alloc(300_000, 'sluice'), coding);
    expect(packed.byteLength).toBeLessThan(10_000);
    expect(packed.buffer.byteLength).toBe(packed.byteLength);
  });
});
