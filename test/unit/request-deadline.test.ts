import { afterEach, describe, expect, it, vi } from 'vitest';
import { requestDeadline } from '../../src/services/request/deadline.ts';

describe('the deadline of a request', () => {
  afterEach(() => vi.useRealTimers());

  it('counts from the arrival of the request', async () => {
    vi.useFakeTimers();
    const arrived = performance.now();
    await vi.advanceTimersByTimeAsync(400);
    using deadline = requestDeadline(1_000, arrived, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(599);
    expect(deadline.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.signal.reason).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('is over at once for a request that has waited too long', async () => {
    vi.useFakeTimers();
    const arrived = performance.now();
    await vi.advanceTimersByTimeAsync(1_200);
    using deadline = requestDeadline(1_000, arrived, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1);
    expect(deadline.signal.aborted).toBe(true);
  });
});
