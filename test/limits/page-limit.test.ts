import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { MemoryWindow } from '../../src/limits/memory-window.ts';
import { Networks } from '../../src/limits/network-address.ts';
import { PageLimit } from '../../src/limits/page-limit.ts';
import { LimitMetrics } from '../../src/telemetry/limit-metrics.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

describe('the limit for pages', () => {
  let nowSeconds = 0;
  const limitOf = (limit: number, proxies: readonly string[] = []) =>
    new PageLimit({
      window: new MemoryWindow({ now: () => nowSeconds }),
      trust: { proxies: new Networks(proxies), header: 'x-forwarded-for' },
      limit,
      metrics: new LimitMetrics(new Registry()),
    });
  const NONE = new Headers();

  it('counts requests and every 100 kB sent, and ends after a minute', async () => {
    const pages = limitOf(10);
    expect(pages.spend(NONE, '10.0.0.1')).toBeNull();
    pages.sent(NONE, '10.0.0.1', 799_999);
    expect(pages.spend(NONE, '10.0.0.1')).toBeNull();
    expect(pages.spend(NONE, '10.0.0.1')).toBeNull();
    expect(pages.spend(NONE, '10.0.0.1')).toMatchObject({
      code: 'RATE_LIMITED',
      context: { limit: 10, retryAfter: 61 },
    });
    nowSeconds += 61;
    expect(pages.spend(NONE, '10.0.0.1')).toBeNull();
  });

  it('is that of an address, also behind a trusted proxy and with a key', () => {
    const pages = limitOf(1, ['10.0.0.9']);
    const from = (address: string) =>
      new Headers({ 'x-forwarded-for': address, authorization: `Bearer ${address}` });
    expect(pages.spend(from('192.0.2.1'), '10.0.0.9')).toBeNull();
    expect(pages.spend(from('192.0.2.1'), '10.0.0.9')).not.toBeNull();
    expect(pages.spend(from('192.0.2.2'), '10.0.0.9')).toBeNull();
    expect(pages.spend(NONE, '192.0.2.2')).not.toBeNull();
  });

  it('of 0 admits everything', () => {
    const pages = limitOf(0);
    pages.sent(NONE, '10.0.0.1', 1e12);
    expect(pages.spend(NONE, '10.0.0.1')).toBeNull();
  });
});

describe('a client that loads pages without end', () => {
  let rpc: LocalnetRpc;
  let gateway: TestApp;
  const PAGE = ['/docs/swagger-ui-bundle.js', { 'accept-encoding': 'identity' }] as const;

  beforeAll(async () => {
    rpc = await serveChain(unchangedChain());
    gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, RATE_LIMIT: '100' } });
  });

  afterAll(async () => {
    await gateway?.stop();
    await rpc?.close();
  });

  it('is refused every page, and nothing else', async () => {
    const first = await gateway.get(...PAGE);
    const bytes = (await first.arrayBuffer()).byteLength;
    expect(first.headers.get('ratelimit')).toBeNull();
    let loaded = 1;
    let last = await gateway.get(...PAGE);
    for (; last.status === 200; last = await gateway.get(...PAGE)) loaded += 1;
    expect(loaded).toBeGreaterThanOrEqual(Math.ceil(3_000 / (1 + Math.floor(bytes / 100_000))));
    expect(last.status).toBe(429);
    expect(last.headers.get('x-error-code')).toBe('RATE_LIMITED');
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(2);

    const html = { accept: 'text/html' };
    const page = await gateway.get('/graphql', html);
    expect([page.status, Number(page.headers.get('retry-after')) > 2]).toEqual([429, true]);
    const statuses = async (paths: readonly string[]) =>
      await Promise.all(paths.map(async (path) => (await gateway.get(path)).status));
    expect(await statuses(['/', '/metrics', '/docs', '/docs/none', '/openapi.json'])).toEqual(
      Array<number>(5).fill(429),
    );
    expect(await statuses(['/health', '/ready', '/kvaults/vaults'])).toEqual([200, 200, 200]);
    expect((await gateway.query('{ chain { slot } }')).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('is compressed, and computed once for all who scrape within the hold time', async () => {
    const rpc = await serveChain(unchangedChain());
    const env = { ...STILL, METRICS_HOLD_MS: '60000' };
    const gateway = await startReadyApp({ rpcUrls: [rpc.url], env });
    try {
      const texts = await Promise.all([1, 2].map(async () => await (await gateway.get('/metrics')).text()));
      await gateway.query('{ chain { slot } }');
      texts.push(await (await gateway.get('/metrics')).text());
      expect(texts[0]).toContain('process_cpu_seconds_total');
      expect(new Set(texts).size).toBe(1);
      const packed = await gateway.get('/metrics', { 'accept-encoding': 'gzip' });
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.headers.get('cache-control')).toBe('no-store');
    } finally {
      await gateway.stop();
      await rpc.close();
    }
  });
});
