import { describe, expect, it } from 'vitest';
import { deadlineSignal } from '../../src/node/deadline.ts';

describe('a deadline', () => {
  it('aborts with its error code', async () => {
    using deadline = deadlineSignal(1, 'The query');
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
    expect(deadline.signal.reason).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      context: { what: 'The query' },
    });
  });

  it('aborts with its parent, for the same reason', () => {
    const parent = new AbortController();
    using deadline = deadlineSignal(60_000, 'The query', parent.signal);
    expect(deadline.signal.aborted).toBe(false);
    parent.abort('gone');
    expect(deadline.signal.reason).toBe('gone');
    using late = deadlineSignal(60_000, 'The query', parent.signal);
    expect(late.signal.reason).toBe('gone');
  });

  it('has no effect after disposal', () => {
    const parent = new AbortController();
    const deadline = deadlineSignal(60_000, 'The query', parent.signal);
    deadline[Symbol.dispose]();
    parent.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
