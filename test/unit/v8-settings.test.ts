import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { calmStart, keepHeapSmall, type Taking } from '../../src/start/v8-settings.ts';

const SOURCE = '(function started() { return 1; })()';

/** As another process has compiled it: this one would know it from before. */
const compiled = (source: string) =>
  execFileSync(process.execPath, [
    '--eval',
    `const script = new (require('node:vm').Script)(${JSON.stringify(source)});
     process.stdout.write(script.createCachedData());`,
  ]);

/** Each time with another source, as V8 remembers what it has seen. */
let sources = 0;
function taken(): boolean {
  sources += 1;
  const source = `${SOURCE} + ${sources}`;
  return new Script(source, { cachedData: compiled(source) }).cachedDataRejected === false;
}

describe('a calm start', () => {
  let taking: Taking;
  beforeAll(() => {
    vi.useFakeTimers();
    taking = calmStart();
  });
  afterAll(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  it('takes what was compiled ahead, which V8 refuses otherwise', () => {
    expect(taken()).toBe(false);
    expect(taking(taken)).toBe(true);
  });

  it('is calm again when what was taken has failed', () => {
    expect(() =>
      taking(() => {
        throw new Error('not there');
      }),
    ).toThrow('not there');
    expect(taken()).toBe(false);
  });

  it('is over after a second', () => {
    vi.advanceTimersByTime(1_000);
    expect(taken()).toBe(true);
    expect(taking(taken)).toBe(true);
    expect(taken()).toBe(true);
  });
});

describe('a small heap', () => {
  it('is asked for when everything is loaded, and not before', () => {
    vi.useFakeTimers();
    keepHeapSmall();
    vi.advanceTimersByTime(1_999);
    expect(taken()).toBe(true);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    expect(taken()).toBe(false);
    setFlagsFromString('--heap-growing-percent=0');
    expect(taken()).toBe(true);
  });
});
