import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let dataDir: string;
let gateway: TestEmbeddedApp;
const progress: (number | null)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-starting-'));
  gateway = await startEmbeddedApp(
    { RECORDER: 'auto', DATA_DIR: dataDir },
    { onHistoryProgress: (percent) => progress.push(percent) },
  );
});
afterAll(async () => {
  await gateway?.app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const get = (path: string) => gateway.app.fetch(new Request(`http://sluice.test${path}`));
const ready = async () => {
  const response = await get('/ready');
  const body = (await response.json()) as {
    status: string;
    history: { status: string; doing: string; percent: number };
  };
  return { httpStatus: response.status, ...body };
};

const QUERY = `query ($vault: Address!) {
  vault(address: $vault) { address metricsHistory { complete } }
  chain { recorder { status percent } }
}`;

it('while the past is generated, both APIs and /ready report the same progress, and everything else answers', async () => {
  // Generation lasts far longer than these requests; the first part of it makes the progress more than zero.
  await vi.waitUntil(async () => (await ready()).history.percent > 0, { timeout: 250_000, interval: 50 });
  const { vault } = gateway.addresses;
  const before = await ready();
  const answer = await askApp<{ vault: object; chain: { recorder: { status: string; percent: number } } }>(
    gateway.app,
    QUERY,
    { variables: { vault } },
  );
  const rest = await get(`/kvaults/vaults/${vault}/metrics/history`);
  const after = await ready();
  const between = (percent: unknown) => {
    expect(percent).toBeGreaterThanOrEqual(before.history.percent);
    expect(percent).toBeLessThanOrEqual(after.history.percent);
  };

  expect(before).toMatchObject({ httpStatus: 200, status: 'ready', history: { status: 'starting' } });
  expect(before.history.doing).toMatch(/^generating the past of the localnet: \d+ of \d+ snapshots$/);

  expect(answer.data.vault).toEqual({ address: vault, metricsHistory: null });
  expect(answer.errors).toEqual([
    expect.objectContaining({
      path: ['vault', 'metricsHistory'],
      extensions: { code: 'HISTORY_STARTING', retryable: true, percent: expect.any(Number) },
    }),
  ]);
  between(answer.errors[0]?.extensions?.percent);
  expect(answer.data.chain.recorder.status).toBe('STARTING');
  between(answer.data.chain.recorder.percent);

  expect([rest.status, rest.headers.get('x-error-code'), rest.headers.get('retry-after')]).toEqual([
    503,
    'HISTORY_STARTING',
    '2',
  ]);
  const { error } = (await rest.json()) as { error: string };
  const [, shown] =
    /^History is starting: generating the past .* snapshots \((\d+) % done\)\. Try again in a few seconds\.$/.exec(
      error,
    ) ?? [];
  between(Number(shown));

  expect(progress[0]).toBe(0);
  expect(progress).toEqual(progress.toSorted((a, b) => Number(a) - Number(b)));
  expect(progress.at(-1)).toBeGreaterThan(0);
});

it('stops while it generates, and ends the progress', async () => {
  await gateway.app.stop();
  expect(progress.at(-1)).toBeNull();
});
