import { describe, expect, it } from 'vitest';
import { streamedBody, TextStream } from '../../src/rest/operation/text-stream.ts';

/** Parts of a stream, and how many were made. */
function counted(parts: readonly (string | Error)[]) {
  const made = { count: 0, isOver: false };
  async function* all(): AsyncGenerator<string, void> {
    try {
      for (const part of parts) {
        made.count += 1;
        if (part instanceof Error) throw part;
        yield part;
      }
    } finally {
      made.isOver = true;
    }
  }
  return { made, stream: new TextStream(all(), {}) };
}

const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text();
const noFailure = (error: unknown) => expect.fail(String(error));

describe('a streamed body', () => {
  it('makes a part when the one before it was taken', async () => {
    const { made, stream } = counted(['a', 'b', 'c']);
    const body = await streamedBody(stream, new AbortController(), noFailure);
    const reader = body.getReader();
    const counts = [made.count];
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await new Promise((resolve) => setImmediate(resolve));
      counts.push(made.count);
    }
    expect(counts).toEqual([1, 1, 2, 3]);
  });

  it('has all parts', async () => {
    const { stream } = counted(['a,', 'é,', 'c']);
    expect(await textOf(await streamedBody(stream, new AbortController(), noFailure))).toBe('a,é,c');
  });

  it('ends the work when it is cancelled', async () => {
    const { made, stream } = counted(['a', 'b', 'c']);
    const stop = new AbortController();
    const body = await streamedBody(stream, stop, noFailure);
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    expect([made, stop.signal.aborted]).toEqual([{ count: 1, isOver: true }, true]);
  });

  it('fails before it begins, or breaks off', async () => {
    const failure = new Error('the database is gone');
    await expect(streamedBody(counted([failure]).stream, new AbortController(), noFailure)).rejects.toBe(
      failure,
    );
    const failures: unknown[] = [];
    const { stream } = counted(['a', failure]);
    const body = await streamedBody(stream, new AbortController(), (error) => failures.push(error));
    await expect(textOf(body)).rejects.toBe(failure);
    expect(failures).toEqual([failure]);
  });
});
