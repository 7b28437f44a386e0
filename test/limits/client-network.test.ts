import { describe, expect, it } from 'vitest';
import { clientOf, type ProxyHeader } from '../../src/limits/client-network.ts';
import { addressOf, Networks } from '../../src/limits/network-address.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48'];

function client(
  peer: string | undefined,
  said = '',
  header: ProxyHeader = 'x-forwarded-for',
  proxies = PROXIES,
) {
  const headers = new Headers(said === '' ? {} : { [header]: said });
  return clientOf(headers, peer, { proxies: new Networks(proxies), header });
}

describe('clientOf', () => {
  it('uses the peer of the socket and ignores headers without a trusted proxy', () => {
    expect(client('203.0.113.9', '198.51.100.7')).toBe('203.0.113.9');
    expect(client('203.0.113.9', '198.51.100.7', 'x-forwarded-for', [])).toBe('203.0.113.9');
    expect(client(undefined, '198.51.100.7')).toBe('local');
  });

  it('uses the last hop that is not a trusted proxy', () => {
    expect(client('10.1.2.3', '198.51.100.7')).toBe('198.51.100.7');
    expect(client('10.1.2.3', '1.1.1.1, 198.51.100.7, 192.0.2.1, 10.9.9.9')).toBe('198.51.100.7');
    expect(client('::ffff:10.1.2.3', '6.6.6.6, 198.51.100.7')).toBe('198.51.100.7');
    expect(client('2001:db8:ffff::5', '198.51.100.7')).toBe('198.51.100.7');
  });

  it('trusts proxies that are written as IPv4-mapped addresses', () => {
    const mapped = ['::ffff:192.0.2.1', '::ffff:10.0.0.0/104', '0:0:0:0:0:FFFF:c633:6407'];
    for (const peer of ['192.0.2.1', '::ffff:192.0.2.1', '10.1.2.3', '::ffff:a01:203', '198.51.100.7']) {
      expect(client(peer, '203.0.113.9', 'x-forwarded-for', mapped)).toBe('203.0.113.9');
    }
    for (const peer of ['11.1.2.3', '192.0.2.2', '2001:db8::1']) {
      expect(client(peer, '203.0.113.9', 'x-forwarded-for', mapped)).not.toBe('203.0.113.9');
    }
    expect(client('203.0.113.1', '198.51.100.7', 'x-forwarded-for', ['::ffff:0:0/96'])).toBe('198.51.100.7');
  });

  it('uses the first proxy when all hops are trusted, and a proxy that hides its client', () => {
    expect(client('10.1.2.3', '10.7.7.7, 10.8.8.8')).toBe('10.7.7.7');
    expect(client('10.1.2.3')).toBe('10.1.2.3');
    expect(client('10.1.2.3', '6.6.6.6, unknown, 10.8.8.8')).toBe('10.8.8.8');
    expect(client('10.1.2.3', '6.6.6.6, <script>')).toBe('10.1.2.3');
  });

  it('reads only the configured header', () => {
    const said = 'for=6.6.6.6, for="[2001:db8:1:2:3::4]:4711";proto=https;by=10.0.0.1';
    expect(client('10.1.2.3', said, 'forwarded')).toBe('2001:db8:1:2::/64');
    expect(client('10.1.2.3', 'For="198.51.100.7:80", for=10.3.3.3', 'forwarded')).toBe('198.51.100.7');
    expect(client('10.1.2.3', 'for=_hidden', 'forwarded')).toBe('10.1.2.3');
    const both = new Headers({ forwarded: 'for=6.6.6.6', 'x-forwarded-for': '198.51.100.7' });
    const trust = { proxies: new Networks(PROXIES), header: 'x-forwarded-for' as const };
    expect(clientOf(both, '10.1.2.3', trust)).toBe('198.51.100.7');
  });

  it('groups IPv6 clients by /64 in canonical form', () => {
    for (const address of [
      '2001:db8:1:2::1',
      '2001:0DB8:0001:0002:ffff:0:0:9',
      '2001:db8:1:2:3:4:5:6%eth0',
    ]) {
      expect(client(address)).toBe('2001:db8:1:2::/64');
    }
    expect(client('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(client('::1')).toBe('0:0:0:0::/64');
  });

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:80', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['0:0:0:0:0:ffff:102:304', '1.2.3.4'],
    ['[::1]:8080', '0:0:0:0:0:0:0:1'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0:0:0:102:304'],
  ])('reads the address %s', (text, address) => {
    expect(addressOf(text)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    ':::',
    '[::1',
    'localhost',
    '::ffff:999.1.1.1',
  ])('takes %j for no address', (text) => {
    expect(addressOf(text)).toBeUndefined();
  });
});
