import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { BufferedOutput } from '../../src/telemetry/buffered-output.ts';

/** A reader that takes each write only on request. */
class Reader extends Writable {
  readonly taken: string[] = [];
  #take: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#take = () => {
      this.taken.push(String(chunk));
      done();
    };
  }

  take(): void {
    this.#take?.();
  }
}

describe('BufferedOutput', () => {
  it('collects lines into one write', () => {
    const reader = new Reader();
    const output = new BufferedOutput(reader, { writeLength: 9 });
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) output.write(line);
    reader.take();
    expect(reader.taken).toEqual(['one\ntwo\nthree\n']);
  });

  it('writes a line that no other follows', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reader = new Reader();
      new BufferedOutput(reader, { waitMs: 200 }).write('one\n');
      vi.advanceTimersByTime(200);
      reader.take();
      expect(reader.taken).toEqual(['one\n']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('drops lines that nothing reads, and says how many once something does', () => {
    const reader = new Reader();
    const output = new BufferedOutput(reader, { writeLength: 1, maxUnreadBytes: 8 });
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) output.write(line);
    expect(output.unread).toBe(8);
    reader.take();
    output.write('five\n');
    reader.take();
    reader.take();
    expect(reader.taken.slice(0, 2)).toEqual(['one\n', 'two\n']);
    const [dropped = '', five] = (reader.taken[2] ?? '').split('\n');
    expect(JSON.parse(dropped)).toMatchObject({ level: 'warn', dropped: 2 });
    expect(five).toBe('five');
  });
});
