import type { ClientConfig } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Options for every connection to the database.
 *
 * The session runs in UTC because Prisma's adapter ignores the offset of a timestamp. `sslmode` means what it
 * means to libpq, so a URL that works with psql works here.
 */
export function connectionOf(
  url: string,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
  readOnly = false,
): ClientConfig {
  const parsed = new URL(url);
  const given = parsed.searchParams;
  const session = readOnly ? '-c TimeZone=UTC -c default_transaction_read_only=on' : '-c TimeZone=UTC';
  given.set('options', `${given.get('options') ?? ''} ${session}`.trim());
  if (given.has('sslmode') && !given.has('uselibpqcompat')) given.set('uselibpqcompat', 'true');
  return {
    connectionString: parsed.href,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'sluice',
  };
}
