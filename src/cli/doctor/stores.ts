import type { Redis } from 'ioredis';
import { Client, DatabaseError } from 'pg';
import { createRedis } from '../../redis/create-redis.ts';
import { connectionOf } from '../../store/connection.ts';
import { type Finding, fault, ok } from './finding.ts';

/** SQLSTATEs that a wrong DATABASE_URL leads to. */
const SQL_STATES: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or password',
  '28000': 'it does not accept this user from this host',
  '3D000': 'the database does not exist',
  '42501': 'the user may not connect',
  '53300': 'it has no free connection',
  '57P03': 'it is starting up',
};

/** First words of the Redis errors that a wrong REDIS_URL leads to. */
const REDIS_ERRORS: Readonly<Record<string, string>> = {
  NOAUTH: 'it requires a password',
  WRONGPASS: 'it refuses the user or password',
  NOPERM: 'the user lacks permission',
  LOADING: 'it is still loading its data',
};

/** Whether PostgreSQL accepts a connection that is opened as the gateway opens it. */
export async function checkDatabase(url: string | null, timeoutMs: number): Promise<Finding> {
  if (url === null) {
    return ok('database', 'connects', 'None is configured. Only history needs DATABASE_URL.');
  }
  try {
    return ok(
      'database',
      'connects',
      `PostgreSQL ${await postgresVersion(url, timeoutMs)} accepts the connection.`,
    );
  } catch (error) {
    const says = `PostgreSQL does not work: ${postgresReason(error)}. Check DATABASE_URL.`;
    return fault('database', 'connects', says);
  }
}

async function postgresVersion(url: string, timeoutMs: number): Promise<string> {
  const client = new Client({
    ...connectionOf(url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // A connection that drops emits 'error', which ends the process when nothing listens.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
  } finally {
    await client.end();
  }
}

/** Never the server's own message: it may name hosts and users. */
function postgresReason(error: unknown): string {
  if (error instanceof DatabaseError && error.code !== undefined) {
    return SQL_STATES[error.code] ?? `it refuses (${error.code})`;
  }
  const message = error instanceof Error ? error.message : '';
  if (message.includes('does not support SSL')) return 'it refuses (no encryption)';
  const timedOut = message === 'timeout expired' || message === 'Query read timeout';
  return `it cannot be reached (${timedOut ? 'ETIMEDOUT' : systemCode(error)})`;
}

/** Whether Redis answers. */
export async function checkRedis(url: string | null, timeoutMs: number): Promise<Finding> {
  if (url === null) {
    const says =
      'None is configured. Each gateway counts its own rate limits and reads the chain for itself; set REDIS_URL to share both.';
    return ok('redis', 'answers', says);
  }
  try {
    await withRedis(url, timeoutMs, (redis) => redis.ping());
    return ok('redis', 'answers', 'Redis answers.');
  } catch (error) {
    return fault('redis', 'answers', `Redis does not work: ${redisReason(error)}. Check REDIS_URL.`);
  }
}

/** Runs commands on a connection that is opened as the gateway opens it, and closed afterwards. */
export async function withRedis<T>(
  url: string,
  timeoutMs: number,
  run: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = createRedis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
  });
  // connect() rejects with "Connection is closed" only; the cause is emitted, as is a SELECT that is refused.
  const emitted = new Promise<never>((_, reject) => redis.on('error', reject));
  try {
    return await Promise.race([emitted, redis.connect().then(() => run(redis))]);
  } finally {
    redis.disconnect();
  }
}

export function redisReason(error: unknown): string {
  if (error instanceof Error && error.name === 'ReplyError') {
    const word = error.message.match(/^[A-Z]+/)?.[0] ?? 'an error';
    return REDIS_ERRORS[word] ?? `it refuses (${word})`;
  }
  const timedOut = error instanceof Error && error.message === 'Command timed out';
  return `it cannot be reached (${timedOut ? 'ETIMEDOUT' : systemCode(error)})`;
}

/** `ECONNREFUSED`, `ENOTFOUND`: the code alone, because the message holds the address. */
function systemCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Za-z0-9_]+$/.test(code) ? code : 'no connection';
}
