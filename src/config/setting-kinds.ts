import { isIP } from 'node:net';
import { type Address, isAddress } from '@solana/kit';
import { isSentinelUrl, parseSentinelUrl } from '../redis/sentinel-address.ts';

/** One environment variable: its default, what is allowed, and its line in docs/settings.md. */
export interface Setting<T> {
  readonly fallback: string;
  readonly allowed: string;
  readonly meaning: string;
  /** Returns undefined when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

export function integer(fallback: number, min: number, max: number, meaning: string): Setting<number> {
  return {
    fallback: String(fallback),
    allowed: `a whole number from ${min} to ${max}`,
    meaning,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function oneOf<T extends string>(
  fallback: string,
  options: readonly T[],
  meaning: string,
): Setting<T> {
  return {
    fallback,
    allowed: `one of ${options.join(', ')}`,
    meaning,
    parse: (text) => options.find((o) => o === text),
  };
}

export function urls(protocols: readonly string[], meaning: string): Setting<readonly string[]> {
  const allowed = `URLs starting with ${protocols.map((p) => `${p}//`).join(' or ')}, separated by commas`;
  const accepted = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return {
    fallback: '',
    allowed,
    meaning,
    parse(text) {
      const list = text.split(',').map((part) => part.trim());
      const given = list.filter((part) => part !== '');
      return text === '' || (given.length === list.length && given.every(accepted)) ? given : undefined;
    },
  };
}

/** Names the stream of the embedded localnet, whose address is not known before it runs. */
export const LOCALNET_STREAM = 'localnet';

/** gRPC endpoints, or that of the localnet. A path would be ignored, and the token is the user name. */
export function grpcUrls(meaning: string): Setting<readonly string[]> {
  const setting = urls(['http:', 'https:'], meaning);
  const isAccepted = (text: string) => {
    const { pathname, search, hash } = new URL(text);
    return pathname === '/' && search === '' && hash === '';
  };
  return {
    ...setting,
    allowed: `URLs starting with http:// or https://, without a path, separated by commas, or ${LOCALNET_STREAM}`,
    parse(text) {
      if (text === LOCALNET_STREAM) return [text];
      const list = setting.parse(text);
      return list?.every(isAccepted) ? list : undefined;
    },
  };
}

export function url(protocols: readonly string[], meaning: string): Setting<string | null> {
  const many = urls(protocols, meaning);
  return {
    fallback: '',
    allowed: `a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    meaning,
    parse(text) {
      const list = text.includes(',') ? undefined : many.parse(text);
      return list === undefined ? undefined : (list[0] ?? null);
    },
  };
}

export function redisUrl(meaning: string): Setting<string | null> {
  const single = url(['redis:', 'rediss:'], meaning);
  return {
    ...single,
    allowed: `${single.allowed}, or redis+sentinel://host:26379,host:26379/name-of-master (docs/scale.md)`,
    parse: (text) => {
      if (!isSentinelUrl(text)) return single.parse(text);
      return parseSentinelUrl(text) === null ? undefined : text;
    },
  };
}

const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;

export function decimal(fallback: string, min: number, max: number, meaning: string): Setting<number> {
  return {
    fallback,
    allowed: `a number from ${min} to ${max}`,
    meaning,
    parse(text) {
      const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function origins(meaning: string): Setting<'*' | readonly string[]> {
  return {
    fallback: '*',
    allowed: '* or origins such as https://app.example, separated by commas',
    meaning,
    parse(text) {
      if (text === '*') return '*';
      const list = text.split(',').map((part) => part.trim());
      return list.every(isOrigin) ? list : undefined;
    },
  };
}

/** Null when unset. */
export function programId(meaning: string): Setting<Address | null> {
  return {
    fallback: '',
    allowed: 'a base58 address of 32 bytes',
    meaning,
    parse: (text) => (text === '' ? null : isAddress(text) ? text : undefined),
  };
}

export function text(fallback: string, pattern: RegExp, allowed: string, meaning: string): Setting<string> {
  return { fallback, allowed, meaning, parse: (value) => (pattern.test(value) ? value : undefined) };
}

/** An IPv4-mapped address has at least 96 bits: with fewer it would be a network of all IPv4 addresses and more. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  const [least, most] = isIP(address) === 4 ? [0, 32] : [isMapped(address) ? 96 : 0, 128];
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= least && Number(prefix) <= most;
}

/** A URL has the shortest spelling of an IPv6 address. */
const isMapped = (address: string): boolean =>
  /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(new URL(`http://[${address.split('%')[0]}]`).hostname);

export function networks(meaning: string): Setting<readonly string[]> {
  return {
    fallback: '',
    allowed: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    meaning,
    parse(text) {
      const list = text === '' ? [] : text.split(',').map((part) => part.trim());
      return list.every(isNetwork) ? list : undefined;
    },
  };
}
