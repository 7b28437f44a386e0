import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EventStream } from '../support/http/event-stream.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';

/** Longer than the test timeout, so a process that exits has not waited for it. */
const GRACE_MS = '600000';
const STREAMS = 5;

let gateway: GatewayProcess | undefined;
afterEach(() => gateway?.kill('SIGKILL'));

describe('a process that receives SIGTERM while streams are open', () => {
  it('ends the streams and exits without waiting for clients, which may reconnect', async () => {
    gateway = new GatewayProcess({ SHUTDOWN_GRACE_MS: GRACE_MS });
    const url = await gateway.ready();
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, () => EventStream.open(url, 'subscription { slot { slot } }')),
    );
    // One client never reads.
    const [, ...read] = streams;
    for (const stream of read) await stream.nextData();
    gateway.kill('SIGTERM');
    const ends = await Promise.all(
      read.map(async (stream) => {
        for (let event = await stream.next(); event !== null; event = await stream.next()) {
          if (event.event !== 'next') return event.event;
        }
        return 'the end of the stream';
      }),
    );
    // After `complete` a client would not reconnect.
    expect(ends).toEqual(read.map(() => 'the end of the stream'));
    expect(await gateway.exited).toBe(0);
    expect(gateway.stderr).toBe('');
  });
});

describe('a process with an unusable operations file', () => {
  it.each([
    ['is not there', null, 'must name a readable file'],
    ['asks for what is not in the schema', '{"a": "{ nothing }"}', 'operation a is invalid'],
  ])('that %s, says so in one line and exits with 1', async (_, content, says) => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-operations-'));
    const file = join(folder, 'operations.json');
    if (content !== null) writeFileSync(file, content);
    gateway = new GatewayProcess({ PERSISTED_OPERATIONS: file });
    expect(await gateway.exited).toBe(1);
    rmSync(folder, { recursive: true });
    expect(gateway.stderr).toMatch(/^PERSISTED_OPERATIONS: [^\n]*\n$/);
    expect(gateway.stderr).toContain(says);
    expect(gateway.stdout).toBe('');
  });
});
