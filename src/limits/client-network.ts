import { addressOf, clientNetwork, type Networks } from './network-address.ts';

export type ProxyHeader = 'x-forwarded-for' | 'forwarded';

export interface ProxyTrust {
  readonly proxies: Networks;
  /** The one header the proxies set. They may pass any other through from the client. */
  readonly header: ProxyHeader;
}

/** Used when there is no socket, as in a function that calls the app directly. */
const NO_SOCKET = 'local';

/**
 * The network that a request comes from: the peer of the socket or, if that is a trusted proxy, the last hop
 * in its header that is not a trusted proxy itself. Earlier hops could have been written by the client.
 */
export function clientOf(
  headers: Pick<Headers, 'get'>,
  peer: string | undefined,
  { proxies, header }: ProxyTrust,
): string {
  const nearest = peer === undefined ? undefined : addressOf(peer);
  if (nearest === undefined) return NO_SOCKET;
  if (!proxies.has(nearest)) return clientNetwork(nearest);
  const value = headers.get(header) ?? '';
  const hops = header === 'forwarded' ? forwardedFor(value) : value.split(',');
  let client = nearest;
  for (const hop of hops.reverse()) {
    const address = addressOf(hop.trim());
    // A proxy that hides its client is charged for it.
    if (address === undefined) break;
    client = address;
    if (!proxies.has(address)) break;
  }
  return clientNetwork(client);
}

/** The `for` parameter of each element, per RFC 7239. */
function forwardedFor(header: string): string[] {
  return header.split(',').map((element) => {
    const pair = element.split(';').find((each) => /^\s*for\s*=/i.test(each)) ?? '';
    return pair
      .slice(pair.indexOf('=') + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1');
  });
}
