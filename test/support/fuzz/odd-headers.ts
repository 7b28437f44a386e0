import type { Random } from '@sluice/localnet/world/prng';

export type OddHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Characters that are valid in a header. */
const visible = (random: Random, length: number) =>
  Array.from({ length }, () => String.fromCharCode(random.between(0x20, 0x7e))).join('');
const latin = (random: Random, length: number) =>
  Array.from({ length }, () => String.fromCharCode(random.between(0x80, 0xff))).join('');

const NAMED: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'text/plain', 'application/json;q=0', ';', 'application/graphql-response+json', ',,,', '*'],
  'accept-encoding': ['br', 'gzip;q=0.5, br;q=1', 'identity;q=0, *;q=0', 'zstd', ';q=', 'gzip;q=abc', '*'],
  'x-view': ['3f9c2a71-1', '0', '1', '-1', '1.5', '999999', 'NaN', '__proto__', '9'.repeat(40)],
  'x-min-slot': ['0', '1', '-1', '1e3', 'x', '9'.repeat(40)],
  'x-request-id': ['a'.repeat(128), 'a'.repeat(129), '<b>', '"', ''],
  authorization: ['Bearer', 'Bearer sluice_nothing', 'Basic YTpi', 'bearer  x', 'Bearer a b c', ''],
  'x-api-key': ['sluice_0123456789abcdef', '', 'null'],
  origin: ['null', 'https://a.example', 'http://[::1]:99999', 'not an origin'],
  'sec-fetch-site': ['cross-site', 'same-origin', 'none', 'nonsense'],
  'sec-fetch-mode': ['cors', 'navigate', 'nonsense'],
  'if-none-match': ['*', 'W/"a"', '"', '"a", "b", W/"c"', ','.repeat(500)],
  'if-modified-since': ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  range: ['bytes=0-10', 'bytes=-1', 'lines=1'],
  cookie: ['a=b', '='.repeat(100)],
  'x-forwarded-for': ['1.2.3.4', 'nonsense', '::1, 1.2.3.4', ','.repeat(200)],
  forwarded: ['for=1.2.3.4', 'for="[::1]:80";proto=http', ';;'],
  host: ['', 'a b', 'example.test', '[::1', 'x'.repeat(300), 'user:pass@host', 'a/../b'],
  'content-encoding': ['gzip', 'br', 'identity', 'nonsense'],
  expect: ['nonsense'],
  traceparent: ['00-0-0-0', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'x'],
  'x-http-method-override': ['DELETE'],
  'content-language': ['xx'],
};
const NAMES = Object.keys(NAMED);

/** A few headers that a careful client would not send. */
export function oddHeaders(random: Random): OddHeaders {
  const headers: Record<string, string | readonly string[]> = {};
  for (let i = random.between(1, 4); i > 0; i -= 1) {
    const name = random.pick(NAMES);
    const choice = random.below(12);
    if (choice < 9) headers[name] = random.pick(NAMED[name] ?? ['']);
    else if (choice === 9) headers[name] = visible(random, random.magnitude(1, 2_000));
    else if (choice === 10) headers[`x-${random.below(1_000)}`] = latin(random, random.magnitude(1, 200));
    else headers[name] = name === 'host' ? 'twice' : [visible(random, 5), visible(random, 5)];
  }
  return headers;
}
