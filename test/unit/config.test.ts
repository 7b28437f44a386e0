import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      SOLANA_RPC_URLS: [],
      SOLANA_CLUSTER: 'localnet',
      DATABASE_URL: null,
      DATA_DIR: './.data',
      embedded: true,
      programs: {
        klend: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
        kvault: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd',
        farms: 'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr',
      },
    });
  });

  it('treats an empty value as unset', () => {
    expect(loadConfig({ PORT: '', SOLANA_RPC_URLS: ' ' })).toMatchObject({ PORT: 4000, embedded: true });
  });

  it('reads lists and derives the cluster', () => {
    const config = loadConfig({ SOLANA_RPC_URLS: 'https://a.example/?key=1, http://127.0.0.1:8899' });
    expect(config.SOLANA_RPC_URLS).toEqual(['https://a.example/?key=1', 'http://127.0.0.1:8899']);
    expect(config).toMatchObject({ embedded: false, SOLANA_CLUSTER: 'mainnet-beta' });
    expect(loadConfig({ SOLANA_RPC_URLS: 'http://a', SOLANA_CLUSTER: 'devnet' }).SOLANA_CLUSTER).toBe(
      'devnet',
    );
  });

  it('takes the addresses of the programs from the cluster, unless they are set', () => {
    const programsOf = (env: Record<string, string>) =>
      loadConfig({ SOLANA_RPC_URLS: 'http://a', ...env }).programs;
    const mainnet = loadConfig({}).programs;
    expect(programsOf({})).toEqual(mainnet);
    expect(programsOf({ SOLANA_CLUSTER: 'localnet' })).toEqual(mainnet);
    // Read from accounts on devnet, by several public repositories.
    const kvault = 'devkRngFnfp4gBc5a3LsadgbQKdPo8MSZ4prFiNSVmY';
    expect(programsOf({ SOLANA_CLUSTER: 'devnet' })).toEqual({ ...mainnet, kvault });
    const own = { SOLANA_CLUSTER: 'devnet', KVAULT_PROGRAM_ID: mainnet.kvault, FARMS_PROGRAM_ID: kvault };
    expect(programsOf(own)).toEqual({ ...mainnet, farms: kvault });
    // The localnet has the programs of mainnet.
    expect(loadConfig({ SOLANA_CLUSTER: 'devnet' }).programs).toEqual(mainnet);
  });

  it('reads networks of both families', () => {
    const networks = [
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
      '::/8',
      '::ffff:10.0.0.0/104',
      '::ffff:a00:1',
    ];
    expect(loadConfig({ TRUSTED_PROXIES: networks.join(', ') }).TRUSTED_PROXIES).toEqual(networks);
  });

  it('accepts the name that LOCALNET_SCALE had in version 0.4', () => {
    expect(loadConfig({}).LOCALNET_SCALE).toBe(1);
    expect(loadConfig({ LOCALNET_SCALE: '', DEMO_SCALE: '5' }).LOCALNET_SCALE).toBe(5);
    expect(loadConfig({ LOCALNET_SCALE: '3', DEMO_SCALE: '5' }).LOCALNET_SCALE).toBe(3);
    expect(() => loadConfig({ DEMO_SCALE: '51' })).toThrow('DEMO_SCALE: must be a whole number from 1 to 50');
  });

  it.each([
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['TRUSTED_PROXIES', '::ffff:10.0.0.0/8', 'addresses or networks such as 10.0.0.0/8'],
    ['TRUSTED_PROXIES', '0:0:0:0:0:ffff:a00:1/95', 'addresses or networks such as 10.0.0.0/8'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '4e3', 'a whole number from 0 to 65535'],
    ['PORT', 'http', 'a whole number from 0 to 65535'],
    ['HOST', 'a b', 'an address or host name'],
    ['SOLANA_RPC_URLS', 'ftp://secret-key@x', 'URLs starting with http:// or https://, separated by commas'],
    [
      'SOLANA_RPC_URLS',
      'https://a,,https://b',
      'URLs starting with http:// or https://, separated by commas',
    ],
    ['SOLANA_WS_URLS', 'https://a', 'URLs starting with ws:// or wss://, separated by commas'],
    ['SOLANA_WS_URLS', 'ws://a', 'empty while SOLANA_RPC_URLS is empty'],
    ['SOLANA_CLUSTER', 'mainnet', 'one of mainnet-beta, devnet, localnet'],
    ['DATABASE_URL', 'mysql://root:secret@x/y', 'a URL starting with postgres:// or postgresql://'],
    ['DATABASE_URL', 'postgres://a,postgres://b', 'a URL starting with postgres:// or postgresql://'],
    [
      'DATABASE_READ_URLS',
      'postgres://a,',
      'URLs starting with postgres:// or postgresql://, separated by commas',
    ],
    ['DATABASE_READ_URLS', 'postgres://a', 'empty while SOLANA_RPC_URLS is empty'],
    ['REDIS_URL', 'localhost', 'a URL starting with redis:// or rediss://'],
    [
      'REDIS_URL',
      'redis+sentinel://:secret@a:26379,b:26379',
      'a URL starting with redis:// or rediss://, or',
    ],
    ['KLEND_PROGRAM_ID', 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgm0D', 'a base58 address of 32 bytes'],
    ['VIEW_REFRESH_MS', '0', 'a whole number from 100 to 600000'],
  ])('stops at %s=%s with one line that says what is allowed', (variable, value, allowed) => {
    const load = () => loadConfig({ [variable]: value });
    expect(load).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    try {
      load();
    } catch (error) {
      const message = (error as Error).message;
      expect(message).toContain(`${variable}: must be ${allowed}`);
      expect(message).not.toContain('\n');
      expect(message).not.toContain('secret');
    }
  });

  it('shares Views over Redis only with a secret that authenticates them', () => {
    const shared = { SOLANA_RPC_URLS: 'https://a', REDIS_URL: 'redis://b' };
    expect(() => loadConfig(shared)).toThrow(/^STREAM_SECRET: must be set while REDIS_URL is set/);
    const secret = { STREAM_SECRET: '0123456789abcdef0123456789abcdef' };
    // Neither of the others shares any.
    for (const more of [secret, { FEED: 'off' }, { SOLANA_RPC_URLS: '' }])
      expect(loadConfig({ ...shared, ...more }).REDIS_URL).toBe('redis://b');
  });

  it('reports every wrong setting at once, one line each', () => {
    const load = () => loadConfig({ PORT: 'http', REDIS_URL: 'redis', LOG_LEVEL: 'loud', HOST: '::1' });
    expect(load).toThrow(
      [
        'PORT: must be a whole number from 0 to 65535',
        'REDIS_URL: must be a URL starting with redis:// or rediss://, or redis+sentinel://host:26379,host:26379/name-of-master (docs/scale.md)',
        'LOG_LEVEL: must be one of trace, debug, info, warn, error, silent',
      ].join('\n'),
    );
  });

  it('reports every pair of settings that contradict each other', () => {
    const load = () => loadConfig({ SOLANA_WS_URLS: 'ws://a', PERSISTED_ONLY: 'on' });
    expect(load).toThrow(/^SOLANA_WS_URLS: [^\n]+\nPERSISTED_OPERATIONS: [^\n]+$/);
  });

  it('takes read replicas of a database alone', () => {
    const env = { SOLANA_RPC_URLS: 'http://a', DATABASE_READ_URLS: 'postgres://b, postgres://c' };
    expect(() => loadConfig(env)).toThrow(/^DATABASE_READ_URLS: must be empty while DATABASE_URL is empty/);
    expect(loadConfig({ ...env, DATABASE_URL: 'postgres://a' }).DATABASE_READ_URLS).toEqual([
      'postgres://b',
      'postgres://c',
    ]);
  });

  it('is documented in docs/settings.md, every setting once with its default and meaning', () => {
    const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
    for (const [name, { fallback, meaning }] of Object.entries(SETTINGS)) {
      const shown = fallback === '' ? '' : `\`${fallback}\``;
      expect(page.split(`| \`${name}\` | ${shown} | ${meaning} |`)).toHaveLength(2);
    }
  });
});
