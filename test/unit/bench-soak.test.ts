import { describe, expect, it } from 'vitest';
import { residentParts } from '../../bench/soak/memory-parts.ts';

const mapping = (range: string, access: string, residentKb: number, name = '') =>
  `${range} ${access} 00000000 00:00 0 ${name}\nSize: 4 kB\nRss:                ${residentKb} kB\nPss: 1 kB\n`;

describe('memory by owner', () => {
  it('a linear memory is what the reservation of WebAssembly follows', () => {
    const parts = residentParts(
      mapping('7f0000001000-7f0008001000', 'rw-p', 3_000) +
        mapping('7f0008001000-7f0208001000', '---p', 0) +
        // A stack with its guard page.
        mapping('7f1000001000-7f1000801000', 'rw-p', 500) +
        mapping('7f1000801000-7f1000802000', '---p', 0),
    );
    expect(parts).toEqual({ wasm: 3_000 * 1_024, malloc: 0 });
  });

  it('the allocator has the heap and the aligned arenas of threads', () => {
    const parts = residentParts(
      mapping('017f8000-1b2df000', 'rw-p', 50, '[heap]') +
        mapping('7fd080000000-7fd083fa8000', 'rw-p', 40) +
        mapping('7fd084100000-7fd085000000', 'rw-p', 30) +
        mapping('7fd088000000-7fd089000000', 'r--p', 20, '/usr/bin/node'),
    );
    expect(parts).toEqual({ wasm: 0, malloc: 90 * 1_024 });
  });
});
