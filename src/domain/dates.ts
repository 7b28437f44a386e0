/** The last time that a date can have, Unix seconds. Accounts may hold any number. */
const LAST_DATE_SECONDS = 8_640_000_000_000n;

export const DAY_SECONDS = 86_400n;

/** The date of a time in Unix seconds; the last possible one for any later time. */
export function safeDate(seconds: bigint): Date {
  return new Date(Number(seconds < LAST_DATE_SECONDS ? seconds : LAST_DATE_SECONDS) * 1000);
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** `4 June 2026 at 14:24 UTC`, for a time in Unix seconds. */
export function dateInWords(seconds: bigint): string {
  const date = safeDate(seconds);
  const time = date.toISOString().replace(/^.*T(\d\d:\d\d).*$/, '$1');
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}
