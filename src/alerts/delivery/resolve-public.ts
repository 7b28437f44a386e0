import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { ReceiverRules } from './receiver-url.ts';

/** An address of a host. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const DNS_TIMEOUT_MS = 4_000;

/** Asks DNS servers directly: the system's resolver would block one of four threads for as long as a hostile server likes. */
export const resolveByDns: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
};

/** The address of a receiver is not public. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * A lookup for one connection. The addresses that it checks are those that are connected to, so a name cannot resolve to a
 * public address first and a private one afterwards. A host with any address that is not public is refused.
 */
export function checkedLookup(resolve: Resolve, { allowPrivate }: ReceiverRules): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(new AddressRefused('the host has no address'), '', 0);
        if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
          return callback(new AddressRefused('the host has an address that is not public'), '', 0);
        if (options.all === true) return callback(null, [...addresses]);
        return callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
