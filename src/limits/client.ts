import { addressOf, clientNetwork, type Networks } from './network-address.ts';

export type ProxyHeader = 'x-forwarded-for' | 'forwarded';

export interface ProxyTrust {
  readonly proxies: Networks;
  /** The one header that they write. Another could come from the client itself, through them. */
  readonly header: ProxyHeader;
}

/** Without a socket, as in a function that calls the app itself. */
const NOWHERE = 'local';

/**
 * The network from which a request comes: the other end of the socket or, when that is a trusted proxy, what it says; of
 * several hops the last one that is not a trusted proxy itself. Everything before it the client could have written.
 */
export function clientOf(
  headers: Pick<Headers, 'get'>,
  peer: string | undefined,
  { proxies, header }: ProxyTrust,
): string {
  const nearest = peer === undefined ? undefined : addressOf(peer);
  if (nearest === undefined) return NOWHERE;
  if (!proxies.has(nearest)) return clientNetwork(nearest);
  const said = headers.get(header) ?? '';
  const hops = header === 'forwarded' ? forwardedFor(said) : said.split(',');
  let client = nearest;
  for (const hop of hops.reverse()) {
    const address = addressOf(hop.trim());
    // A proxy that hides whom it serves answers for them itself.
    if (address === undefined) break;
    client = address;
    if (!proxies.has(address)) break;
  }
  return clientNetwork(client);
}

/** `for` of each element of RFC 7239. */
function forwardedFor(header: string): string[] {
  return header.split(',').map((element) => {
    const pair = element.split(';').find((each) => /^\s*for\s*=/i.test(each)) ?? '';
    return pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
  });
}
