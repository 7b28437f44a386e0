import type { ClientConfig } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * How every connection to the database is opened.
 *
 * The session is in UTC: the adapter of Prisma reads a time stamp without its offset. An `sslmode` means what
 * PostgreSQL's own tools mean by it, so that a URL that works there works here.
 */
export function connectionOf(url: string): ClientConfig {
  const parsed = new URL(url);
  const given = parsed.searchParams;
  given.set('options', `${given.get('options') ?? ''} -c TimeZone=UTC`.trim());
  if (given.has('sslmode') && !given.has('uselibpqcompat')) given.set('uselibpqcompat', 'true');
  return {
    connectionString: parsed.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sluice',
  };
}
