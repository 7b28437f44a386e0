import { type Deadline, deadlineSignal } from '../../node/deadline.ts';

/**
 * The deadline of a request. It counts from its arrival, so that waiting for a turn and validating the query are included.
 *
 * @param startedAt milliseconds of `performance.now()`
 */
export const requestDeadline = (timeoutMs: number, startedAt: number, parent: AbortSignal): Deadline =>
  deadlineSignal(timeoutMs - (performance.now() - startedAt), 'The request', parent);
