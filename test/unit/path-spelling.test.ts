import { describe, expect, it } from 'vitest';
import {
  documentedSpelling,
  marketSegments,
  spelledAsRequested,
} from '../../src/rest/operation/path-spelling.ts';
import { unknownPath } from '../../src/rest/rest-routes.ts';

const spelled = documentedSpelling([]);
const [V, U] = [
  'DfJA4R4zd1sxAndK3Rktry25T1K3sxYbNM2NiVXjiPcw',
  'So11111111111111111111111111111111111111112',
];

describe('an old spelling', () => {
  it.each([
    [`/kvaults/${V}/metrics`, `/kvaults/vaults/${V}/metrics`],
    [`/kvaults/${V}/metrics/history`, `/kvaults/vaults/${V}/metrics/history`],
    [`/kvaults/${V}/allocation-volume/history`, `/kvaults/vaults/${V}/allocation-volume/history`],
    [`/kvaults/${V}/users/${U}/metrics/history`, `/kvaults/users/${U}/vaults/${V}/metrics/history`],
    [`/kvaults/${V}/users/${U}/pnl`, `/kvaults/users/${U}/vaults/${V}/pnl`],
    [`/kvaults/${V}/users/${U}/pnl/history`, `/kvaults/users/${U}/vaults/${V}/pnl/history`],
    [`/kvault-tokens/${U}/metadata`, `/kvaults/mints/${U}/metadata`],
    [`/kvault-tokens/${U}/metadata/image.svg`, `/kvaults/mints/${U}/metadata/image.svg`],
    ['/svc-market', '/v2/svc-market'],
    [`/svc-market/${V}`, `/v2/svc-market/${V}`],
    ['/kvaults/nonsense/metrics', '/kvaults/vaults/nonsense/metrics'],
  ])('%s', (old, documented) => {
    expect(spelled(old)).toBe(documented);
    expect(spelled(`${old}?start=2026-01-01&x=/a/`)).toBe(`${documented}?start=2026-01-01&x=/a/`);
    expect(spelled(`/${old}/?env=localnet`)).toBe(`${documented}?env=localnet`);
    expect(spelled(documented)).toBe(documented);
  });
});

describe('a documented path', () => {
  it.each([
    '/',
    '/docs/',
    '/kvaults/vaults',
    '/kvaults/vaults/metrics',
    '/kvaults/vaults/metrics/history',
    `/kvaults/vaults/${V}`,
    `/kvaults/users/${U}/metrics/history`,
    `/kvaults/users/${U}/positions/${V}`,
    `/svc-market/${V}/reserves/metrics`,
    '/svc-market/reserves/account-data',
    '/svc-market-two',
    `/kvault-tokens/${U}/metadata/imageXsvg`,
  ])('%s stays', (path) => expect(spelled(path)).toBe(path));
});

describe('slashes', () => {
  it.each([
    ['/kvaults/vaults/', '/kvaults/vaults'],
    ['//kvaults/vaults', '/kvaults/vaults'],
    ['//kvaults/vaults/?a=b/', '/kvaults/vaults?a=b/'],
    ['/kvaults//vaults', '/kvaults//vaults'],
    ['//', '/'],
    ['/?a=/', '/?a=/'],
  ])('%s is %s', (path, documented) => expect(spelled(path)).toBe(documented));
});

describe('another name of the market service', () => {
  const renamed = documentedSpelling(['xyz-market']);

  it.each([
    ['/xyz-market', '/v2/svc-market'],
    [`/xyz-market/${V}/`, `/v2/svc-market/${V}`],
    [`/v2/xyz-market/${V}`, `/v2/svc-market/${V}`],
    [`/v3/xyz-market/users/${U}/transactions`, `/v3/svc-market/users/${U}/transactions`],
    [`/xyz-market/${V}/reserves/metrics?env=localnet`, `/svc-market/${V}/reserves/metrics?env=localnet`],
    ['/xyz-marketing', '/xyz-marketing'],
    ['/kvaults/xyz-market', '/kvaults/xyz-market'],
  ])('%s is %s', (path, documented) => expect(renamed(path)).toBe(documented));
});

describe('the market service of the live deployment', () => {
  it('needs no setting on mainnet, where it and the configured name are accepted on every version', () => {
    const live = documentedSpelling(marketSegments('', 'mainnet-beta'));
    const both = documentedSpelling(marketSegments('xyz-market', 'mainnet-beta'));
    for (const version of ['', '/v2', '/v3']) {
      const expected = `${version}/svc-market/${V}/users`;
      expect(live(`${version}/kamino-market/${V}/users`)).toBe(expected);
      expect(both(`${version}/kamino-market/${V}/users`)).toBe(expected);
      expect(both(`${version}/xyz-market/${V}/users`)).toBe(expected);
    }
  });

  it('is an unknown name elsewhere', () => {
    expect(marketSegments('', 'localnet')).toEqual([]);
    expect(marketSegments('', 'devnet')).toEqual([]);
  });
});

describe('a documented path in a hint', () => {
  it.each([
    [
      '/v2/svc-market/{pubkey}',
      '/v3/kamino-market/nope',
      '/v3/svc-market/nope',
      '/v2/kamino-market/{pubkey}',
    ],
    ['/svc-market/{pubkey}/x', '//xyz-market/nope', '/svc-market/nope', '/xyz-market/{pubkey}/x'],
    ['/v2/svc-market/{pubkey}', '/v2/svc-market/no', '/v2/svc-market/no', '/v2/svc-market/{pubkey}'],
    ['/kvaults/vaults', '/v2/kamino-market/vaults', '/v2/svc-market/vaults', '/kvaults/vaults'],
    ['/v2/svc-market/{pubkey}', '/v2/other/no', '/v2/other/no', '/v2/svc-market/{pubkey}'],
  ])('%s names the market service as %s does', (documented, requested, spelled, expected) => {
    expect(spelledAsRequested(documented, requested, spelled)).toBe(expected);
  });
});

describe('an unknown path of the market service', () => {
  it('is answered with a hint that names the service as the caller did', () => {
    const requested = `/v3/kamino-market/user/${U}/transactions`;
    const spelledOut = documentedSpelling(marketSegments('', 'mainnet-beta'))(requested);
    expect(unknownPath(requested, spelledOut)).toEqual({
      error: `There is nothing at ${requested}. The nearest documented path is /v3/kamino-market/users/{userPubkey}/transactions.`,
    });
  });
});
