/** Dates and durations of the page, in the reader's zone. `now` is passed in, for tests and for ages that count. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatted(date: Date, options: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  const all: Intl.DateTimeFormatOptions = { ...options, hourCycle: 'h23' };
  if (timeZone !== undefined) all.timeZone = timeZone;
  const key = JSON.stringify(all);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', all);
  formatters.set(key, known);
  return known.format(date).replace('Sept', 'Sep');
}

const DAY_PARTS: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const DAY_AND_MONTH: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const WITH_YEAR: Intl.DateTimeFormatOptions = { ...DAY_AND_MONTH, year: 'numeric' };

/** Today: 15:05. This year: 5 Nov, 15:36. Else: 23 Oct 2025. */
export function dateTime(at: Date, now: Date, timeZone?: string): string {
  if (formatted(at, DAY_PARTS, timeZone) === formatted(now, DAY_PARTS, timeZone))
    return formatted(at, TIME, timeZone);
  if (yearOf(at, timeZone) !== yearOf(now, timeZone)) return formatted(at, WITH_YEAR, timeZone);
  return `${formatted(at, DAY_AND_MONTH, timeZone)}, ${formatted(at, TIME, timeZone)}`;
}

/** A day without a time: 5 Nov, or 23 Oct 2025 in another year. */
export function day(at: Date, now: Date, timeZone?: string): string {
  return formatted(at, yearOf(at, timeZone) === yearOf(now, timeZone) ? DAY_AND_MONTH : WITH_YEAR, timeZone);
}

const yearOf = (at: Date, timeZone: string | undefined): string =>
  formatted(at, { year: 'numeric' }, timeZone);

/** The largest unit of a duration: 2 s, 3 min, 5 h, 9 days. */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  if (size < MINUTE) return `${Math.floor(size / 1_000)}\u00a0s`;
  if (size < HOUR) return `${Math.floor(size / MINUTE)}\u00a0min`;
  if (size < DAY) return `${Math.floor(size / HOUR)}\u00a0h`;
  const days = Math.floor(size / DAY);
  return days === 1 ? '1\u00a0day' : `${days.toLocaleString('en-US')}\u00a0days`;
}
