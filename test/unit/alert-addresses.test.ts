import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/alerts/delivery/public-address.ts';
import { receiverUrl } from '../../src/alerts/delivery/receiver-url.ts';
import { checkedLookup, type ResolvedAddress } from '../../src/alerts/delivery/resolve-public.ts';

/** By the IANA registries of special-purpose addresses. */
const REFUSED = [
  ['this network', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['cloud metadata', '169.254.169.254'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.9'],
  ['benchmarks', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['discard', '100::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['Teredo', '2001::1'],
  ['ORCHID', '2001:20::1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['not an address', 'localhost'],
  ['not an address', ''],
] as const;
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '223.255.255.254',
];
const PUBLIC_6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:80e::200e'];

describe('An address', () => {
  it.each(REFUSED)('of the kind %s, %s, is not public', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([...PUBLIC, ...PUBLIC_6])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('The URL of a receiver', () => {
  it.each([
    'http://hooks.example/',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'https://user:password@hooks.example/',
    'https://hooks.example:22/',
    'https://hooks.example:8080/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'not a url',
    `https://hooks.example/${'x'.repeat(2_000)}`,
  ])('%s is refused', (url) => {
    expect(() => receiverUrl(url, { allowPrivate: false })).toThrowError(
      expect.objectContaining({ code: 'ALERT_URL_REFUSED' }),
    );
  });

  it.each(['https://hooks.example/a?b=c', 'https://hooks.example:8443/', 'https://8.8.8.8/'])(
    '%s is accepted',
    (url) => {
      expect(receiverUrl(url, { allowPrivate: false }).href).toBe(url);
    },
  );

  it('may be private where the operator allows it, but not of another protocol', () => {
    const rules = { allowPrivate: true };
    expect(receiverUrl('http://127.0.0.1:8080/', rules).host).toBe('127.0.0.1:8080');
    expect(() => receiverUrl('ftp://127.0.0.1/', rules)).toThrow();
  });
});

describe('A name', () => {
  const lookup = (addresses: readonly ResolvedAddress[], allowPrivate = false) =>
    new Promise<unknown>((resolve) =>
      checkedLookup(async () => addresses, { allowPrivate })('hooks.example', { all: true }, (error, found) =>
        resolve(error === null ? found : (error as NodeJS.ErrnoException).code),
      ),
    );
  const publicOne: ResolvedAddress = { address: '8.8.8.8', family: 4 };
  const privateOne: ResolvedAddress = { address: '10.0.0.1', family: 4 };

  it('is connected to at the addresses that were checked', async () => {
    expect(await lookup([publicOne])).toEqual([publicOne]);
  });

  it('with one private address among public ones is refused', async () => {
    expect(await lookup([publicOne, privateOne])).toBe('ADDRESS_REFUSED');
    expect(await lookup([{ address: '::1', family: 6 }])).toBe('ADDRESS_REFUSED');
    expect(await lookup([])).toBe('ADDRESS_REFUSED');
    expect(await lookup([privateOne], true)).toEqual([privateOne]);
  });
});
