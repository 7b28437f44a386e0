import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BatchedLines } from '../../src/http/batched-lines.ts';

describe('lines of a log', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const opened = () => {
    const writes: string[] = [];
    return { writes, lines: new BatchedLines({ write: (text) => void writes.push(text) }) };
  };

  it('are written at once when they come alone, together when they come quickly, in order', () => {
    const { writes, lines } = opened();
    lines.write('a\n');
    expect(writes).toEqual(['a\n']);
    lines.write('b\n');
    lines.write('c\n');
    expect(writes).toEqual(['a\n']);
    vi.advanceTimersByTime(50);
    expect(writes).toEqual(['a\n', 'b\nc\n']);
    vi.advanceTimersByTime(50);
    lines.write('d\n');
    expect(writes).toEqual(['a\n', 'b\nc\n', 'd\n']);
  });

  it('do not wait when there are many of them', () => {
    const { writes, lines } = opened();
    const line = `${'x'.repeat(999)}\n`;
    for (let i = 0; i < 1_000; i += 1) lines.write(line);
    expect(writes.length).toBeGreaterThan(10);
    vi.advanceTimersByTime(50);
    expect(writes.join('')).toBe(line.repeat(1_000));
  });
});

it('the log of a process that ends has all of its lines', () => {
  const logger = fileURLToPath(new URL('../../src/telemetry/logger.ts', import.meta.url));
  const program = `import { createLogger } from ${JSON.stringify(logger)};
    const logger = createLogger('info');
    for (let i = 0; i < 100; i += 1) logger.info({ i }, 'said');
    process.exit(3);`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  expect(status).toBe(3);
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { i: number }).i);
  expect(said).toEqual(Array.from({ length: 100 }, (_, i) => i));
});
