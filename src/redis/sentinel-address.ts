import { isIPv6 } from 'node:net';

interface SentinelHost {
  readonly host: string;
  readonly port: number;
}

/** A Redis whose master the sentinels name. Users and passwords are null where there are none. */
export interface SentinelAddress {
  readonly sentinels: readonly SentinelHost[];
  /** Name of the master in the configuration of the sentinels. */
  readonly name: string;
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
  /** Whether Redis and the sentinels are reached over TLS. */
  readonly isEncrypted: boolean;
}

const SENTINEL_PORT = 26_379;
const SCHEME = /^rediss?\+sentinel:/;
const URL_PARTS =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([\w.-]+)(?:\/(\d{1,5}))?(?:\?([^?#]*))?$/;
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const PARAMETERS = ['sentinelUsername', 'sentinelPassword'];

/** Whether the URL names sentinels instead of a Redis. It may be malformed otherwise. */
export const isSentinelUrl = (url: string): boolean => SCHEME.test(url);

/**
 * Reads `redis+sentinel://user:password@host:26379,host:26379/name/db?sentinelPassword=…`, which the URL class cannot: several
 * hosts have ports. Null when it is malformed.
 */
export function parseSentinelUrl(url: string): SentinelAddress | null {
  const [, scheme, login, hosts = '', name = '', db = '0', query] = URL_PARTS.exec(url) ?? [];
  const sentinels = hosts.split(',').map(parseHost);
  const credentials = parseLogin(login);
  const parameters = parseQuery(query);
  if (scheme === undefined || credentials === null || parameters === null) return null;
  const known = sentinels.filter((each) => each !== null);
  if (known.length < sentinels.length) return null;
  const sentinelUsername = parameters.get('sentinelUsername') ?? null;
  const sentinelPassword = parameters.get('sentinelPassword') ?? null;
  // A user without a password cannot log in.
  if (sentinelUsername !== null && sentinelPassword === null) return null;
  return {
    sentinels: known,
    name,
    db: Number(db),
    ...credentials,
    sentinelUsername,
    sentinelPassword,
    isEncrypted: scheme === 'rediss',
  };
}

function parseHost(text: string): SentinelHost | null {
  const [found, ipv6, host = ipv6, digits = String(SENTINEL_PORT)] = HOST.exec(text) ?? [];
  const port = Number(digits);
  if (found === undefined || host === undefined || port === 0 || port > 65_535) return null;
  return ipv6 === undefined || isIPv6(ipv6) ? { host, port } : null;
}

function parseLogin(login: string | undefined): Pick<SentinelAddress, 'username' | 'password'> | null {
  if (login === undefined) return { username: null, password: null };
  const colon = login.indexOf(':');
  const [username, password] = [decoded(login.slice(0, colon)), decoded(login.slice(colon + 1))];
  if (colon === -1 || username === null || password === null || password === '') return null;
  return { username: username === '' ? null : username, password };
}

function parseQuery(query: string | undefined): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (const part of (query ?? '').split('&')) {
    if (part === '' && (query ?? '') === '') continue;
    const [name = '', ...rest] = part.split('=');
    const value = decoded(rest.join('='));
    if (!PARAMETERS.includes(name) || found.has(name) || value === null || value === '') return null;
    found.set(name, value);
  }
  return found;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
