/** A date, or a date and a time to the minute or finer; without a zone it is UTC. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;
const EPOCH_MS = /^-?\d{1,16}$/;

/** Years with four digits. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses ISO 8601 (`2024-01-01`, `2024-01-01T00:00Z`, `2024-01-01T02:00:00.000+02:00`) or milliseconds since the epoch.
 * Undefined for anything else, including dates that do not exist.
 */
export function parseInstant(text: string): Date | undefined {
  const ms = EPOCH_MS.test(text) ? Number(text) : isoMs(text);
  return ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms) : undefined;
}

function isoMs(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const ms = Date.parse(local);
  // Date.parse rolls invalid dates over, such as February 30.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== local) return undefined;
  const offset = offsetMinutes(match[8] ?? 'Z');
  return offset === undefined ? undefined : ms - offset * 60_000;
}

function offsetMinutes(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
