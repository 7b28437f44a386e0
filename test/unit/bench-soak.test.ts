import { describe, expect, it } from 'vitest';
import type { Tally } from '../../bench/load/generator.ts';
import { residentParts } from '../../bench/soak/memory-parts.ts';
import { verdictsOf } from '../../bench/soak/verdicts.ts';

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

describe('a run fails', () => {
  const tally = (answers: number, failed = { requests: 0, streams: 0 }, open = 50): Tally => ({
    seconds: 60,
    kinds: [
      {
        name: 'REST read',
        sent: 2,
        latenciesMs: Array(answers).fill(1),
        failed: failed.requests,
        wrong: [],
      },
    ],
    streams: { open, events: 0, bytes: 0, failed: failed.streams, wrong: [] },
  });
  const met = (residentMb: number, tallies: readonly Tally[]) =>
    verdictsOf(residentMb, tallies, 50).map(({ isMet }) => isMet);

  it.each<[string, number, readonly Tally[], boolean[]]>([
    ['not within all bounds', 800, [tally(1), tally(2)], [true, true, true, true]],
    ['above the bound of memory', 800.1, [tally(1)], [false, true, true, true]],
    [
      'after a failed request',
      1,
      [tally(2, { requests: 1, streams: 0 }), tally(2)],
      [true, false, true, true],
    ],
    ['after a failed stream', 1, [tally(2, { requests: 0, streams: 1 })], [true, false, true, true]],
    ['after a minute without an answer', 1, [tally(2), tally(0), tally(2)], [true, true, false, true]],
    ['when a stream is missing', 1, [tally(2, undefined, 49)], [true, true, true, false]],
    ['without a minute', 1, [], [true, true, false, false]],
  ])('%s', (_, residentMb, tallies, expected) => {
    expect(met(residentMb, tallies)).toEqual(expected);
  });
});
