import { describe, expect, it } from 'vitest';
import { geyserAddress } from '../../src/chain/sources/geyser/endpoints.ts';
import { loadConfig } from '../../src/config/config.ts';

const RPC = { SOLANA_RPC_URLS: 'http://rpc.test' };

describe('a Geyser endpoint', () => {
  it.each([
    ['https://host.test:10000', 'https://host.test:10000', undefined],
    ['https://key@host.test', 'https://host.test', 'key'],
    ['http://:key@host.test:80', 'http://host.test', 'key'],
    ['https://a%2Fb%40c@host.test', 'https://host.test', 'a/b@c'],
  ])('%s has its token apart from its address', (text, url, token) => {
    const address = geyserAddress(text, 'x-api-key');
    expect([address.url, address.token, address.tokenHeader]).toEqual([url, token, 'x-api-key']);
  });

  it('is configured as a list, with x-token as the header', () => {
    const config = loadConfig({ ...RPC, GEYSER_URLS: 'https://key@one.test, http://two.test:10000' });
    expect(config.GEYSER_URLS).toEqual(['https://key@one.test', 'http://two.test:10000']);
    expect(config.GEYSER_TOKEN_HEADER).toBe('x-token');
  });

  it('can be that of the localnet', () => {
    expect(loadConfig({ GEYSER_URLS: 'localnet' })).toMatchObject({ localnetStream: true, GEYSER_URLS: [] });
    expect(loadConfig({}).localnetStream).toBe(false);
    expect(() => loadConfig({ ...RPC, GEYSER_URLS: 'localnet' })).toThrow(/GEYSER_URLS/);
  });

  it.each([
    ['a path', { ...RPC, GEYSER_URLS: 'https://host.test/secret-1234' }],
    ['another protocol', { ...RPC, GEYSER_URLS: 'ws://secret-1234@host.test' }],
    ['no RPC endpoint', { GEYSER_URLS: 'https://secret-1234@host.test' }],
  ])('with %s is refused without being quoted', (_, env) => {
    const load = () => loadConfig(env);
    expect(load).toThrow(/GEYSER_URLS/);
    expect(load).not.toThrow(/secret-1234/);
  });
});
