import { codeOf } from './conversation.ts';
import { type Finding, fault, ok } from './finding.ts';
import { greetPostgres, PostgresRefusal } from './postgres.ts';
import { greetRedis, RedisRefusal } from './redis.ts';

/** What the states say that a wrong DATABASE_URL leads to. */
const SQL_STATES: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or password',
  '28000': 'it does not let this user in from here',
  '3D000': 'the database does not exist',
  '42501': 'the user has no right to connect',
  '53300': 'it has no connection left',
  '57P03': 'it is starting up',
};

const REDIS_ERRORS: Readonly<Record<string, string>> = {
  NOAUTH: 'it wants a password',
  WRONGPASS: 'it refuses the user or password',
  NOPERM: 'the user has no right to ask',
  LOADING: 'it is still loading its data',
};

/** Whether PostgreSQL lets us in. */
export async function checkDatabase(url: string | null, timeoutMs: number): Promise<Finding> {
  if (url === null) {
    return ok('database', 'connects', 'None is configured. History needs DATABASE_URL; all else works.');
  }
  try {
    const version = await greetPostgres(new URL(url), timeoutMs);
    return ok('database', 'connects', `PostgreSQL ${version} lets us in.`);
  } catch (error) {
    const reason =
      error instanceof PostgresRefusal
        ? (SQL_STATES[error.sqlState] ?? `it refuses (${error.sqlState})`)
        : `it cannot be reached (${codeOf(error)})`;
    return fault('database', 'connects', `PostgreSQL does not work: ${reason}. Check DATABASE_URL.`);
  }
}

/** Whether Redis answers. */
export async function checkRedis(url: string | null, timeoutMs: number): Promise<Finding> {
  if (url === null) {
    const says =
      'None is configured. Each gateway then counts its own rate limits; several need REDIS_URL to share them.';
    return ok('redis', 'answers', says);
  }
  try {
    await greetRedis(new URL(url), timeoutMs);
    return ok('redis', 'answers', 'Redis answers.');
  } catch (error) {
    const reason =
      error instanceof RedisRefusal
        ? (REDIS_ERRORS[error.message] ?? `it refuses (${error.message})`)
        : `it cannot be reached (${codeOf(error)})`;
    return fault('redis', 'answers', `Redis does not work: ${reason}. Check REDIS_URL.`);
  }
}
