import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are not the public internet (IANA special-purpose registries), besides those inside the checks below. */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Parts of 2000::/3, the only global unicast range of IPv6, that carry other addresses or are reserved. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic4 = blockList(NOT_PUBLIC_4, 'ipv4');
const notPublic6 = blockList(NOT_PUBLIC_6, 'ipv6');
const global6 = blockList(['2000::/3'], 'ipv6');

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/**
 * Whether an address belongs to the public internet. IPv6 addresses that stand for an IPv4 one (mapped, NAT64, 6to4, Teredo)
 * are refused whatever they stand for: a public receiver has no need of them.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4');
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}
