import { BODIES_IN_FLIGHT_BYTES } from '../transport/body-limits.ts';
import type { EndpointPoolOptions } from './endpoint-pool.ts';

/** Timers of Node that are longer fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Limits = Pick<
  EndpointPoolOptions,
  'timeoutMs' | 'maxAttempts' | 'maxConcurrencyPerEndpoint' | 'bodiesInFlightBytes'
>;

/** @throws RangeError for a limit with which no call could be made */
export function checkLimits(limits: Limits): void {
  const { timeoutMs, maxAttempts, maxConcurrencyPerEndpoint } = limits;
  const { bodiesInFlightBytes = BODIES_IN_FLIGHT_BYTES } = limits;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS))
    throw new RangeError(`timeoutMs is ${timeoutMs}: give milliseconds above 0, at most ${LONGEST_TIMER_MS}`);
  const counts = { maxAttempts, maxConcurrencyPerEndpoint, bodiesInFlightBytes };
  for (const [name, value] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw new RangeError(`${name} is ${value}: give a whole number above 0`);
  }
}

/** The error does not quote the URLs: they may contain keys. @throws RangeError */
export function parseUrls(urls: readonly string[]): readonly URL[] {
  const parsed = urls.map((url) => (URL.canParse(url) ? new URL(url) : null));
  const usable = parsed.filter((url) => url !== null).filter((url) => /^https?:$/.test(url.protocol));
  if (usable.length === 0 || usable.length < urls.length) {
    throw new RangeError('urls: give one or more http:// or https:// URLs');
  }
  return usable;
}
