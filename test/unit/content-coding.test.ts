import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressed } from '../../src/http/content-coding.ts';

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync };

describe.each(['br', 'gzip'] as const)('bytes compressed as %s', (coding) => {
  it.each([0, 1, 63, 64, 1_024, 300_000])('round-trip at %d bytes', async (length) => {
    const bytes = Buffer.from('{"usd":"0.25"},'.repeat(Math.ceil(length / 15))).subarray(0, length);
    expect(DECOMPRESS[coding](await compressed(bytes, coding)).equals(bytes)).toBe(true);
  });

  it('round-trip when they are incompressible', async () => {
    const bytes = Uint8Array.from({ length: 50_000 }, (_, i) => Math.imul(i, 2_654_435_761) >>> 24);
    expect(DECOMPRESS[coding](await compressed(bytes, coding)).equals(bytes)).toBe(true);
  });

  it('do not retain a larger buffer', async () => {
    const result = await compressed(Buffer.alloc(300_000, 'sluice'), coding);
    expect(result.byteLength).toBeLessThan(10_000);
    expect(result.buffer.byteLength).toBe(result.byteLength);
  });
});
