import { BlockList, isIP, isIPv4 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Bits of an IPv4-mapped address before the IPv4 address. */
const MAPPED_BITS = 96;

/** A canonical IP address without port, brackets or zone; undefined when the text is not an address. */
export function addressOf(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');
  const address = bare.split('%')[0] ?? '';
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return isIPv4(mapped) ? mapped : undefined;
  if (isIP(address) !== 6) return isIPv4(address) ? address : undefined;
  const groups = groupsOf(address);
  // An IPv4-mapped address in hexadecimal groups.
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    ? groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.')
    : groups.map((group) => group.toString(16)).join(':');
}

/**
 * Groups IPv6 clients by /64: a subscriber owns the whole network and can change addresses within it at will.
 */
export function clientNetwork(address: string): string {
  return isIPv4(address) ? address : `${address.split(':').slice(0, 4).join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::');
  const parse = (part: string) =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const first = parse(head);
  if (tail === undefined) return first;
  const last = parse(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

/** A set of addresses and networks in CIDR notation (`10.0.0.0/8`). */
export class Networks {
  readonly #list = new BlockList();
  readonly isEmpty: boolean;

  constructor(networks: readonly string[]) {
    this.isEmpty = networks.length === 0;
    for (const network of networks) {
      const [given = '', prefix] = network.split('/');
      const address = addressOf(given) ?? given;
      // Clients are compared by their IPv4 address, so a network of mapped addresses is one of IPv4 addresses.
      const mappedBits = isIPv4(address) && !isIPv4(given) ? MAPPED_BITS : 0;
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (prefix === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(prefix) - mappedBits, family);
    }
  }

  has(address: string): boolean {
    return !this.isEmpty && this.#list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}
