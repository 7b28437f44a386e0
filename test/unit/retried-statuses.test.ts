import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';

const every = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Statuses that clients retry as they come, from the documentation of each. */
const RETRIED: Readonly<Record<string, readonly number[]>> = {
  'axios-retry': [...every(500, 599), 429],
  'retry-axios': [...every(100, 199), 429, ...every(500, 599)],
  got: [408, 413, 429, 500, 502, 503, 504, 521, 522, 524],
  ky: [408, 413, 429, 500, 502, 503, 504],
  undici: [429, 500, 502, 503, 504],
  urllib3: [413, 429, 503],
  'go-retryablehttp': [429, ...every(500, 599).filter((status) => status !== 501)],
};

describe('the status of an error of history', () => {
  it.each(Object.entries(RETRIED))('is what %s retries only where a retry helps', (_, statuses) => {
    expect(statuses).not.toContain(ERROR_CODES.HISTORY_DISABLED.status);
    expect(statuses).toContain(ERROR_CODES.HISTORY_STARTING.status);
  });
});
