import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ frozen: true });
});

afterAll(async () => {
  await gateway?.stop();
});

describe('GraphQL over HTTP', () => {
  const audits = serverAudits({
    url: 'http://sluice.test/graphql',
    fetchFn: (url: string, init: RequestInit) => gateway.app.fetch(new Request(url, init)),
  });

  it('has its audits', () => {
    expect(audits.length).toBeGreaterThan(50);
  });

  it.each(audits.map(({ name, fn }) => ({ name, fn })))('$name', async ({ fn }) => {
    const result = await fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
  });
});
