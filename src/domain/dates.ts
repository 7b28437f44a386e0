/** The last time that a date can have, Unix seconds. Accounts may hold any number. */
const LAST_DATE_SECONDS = 8_640_000_000_000n;

export const DAY_SECONDS = 86_400n;

/** The date of a time in Unix seconds; the last possible one for any later time. */
export function safeDate(seconds: bigint): Date {
  return new Date(Number(seconds < LAST_DATE_SECONDS ? seconds : LAST_DATE_SECONDS) * 1000);
}
