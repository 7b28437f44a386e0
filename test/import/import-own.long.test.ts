import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { requestListener } from '../../src/http/server.ts';
import type { Snapshot } from '../../src/store/history/samples.ts';
import { HOUR, MINUTE } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import {
  d,
  marketSample,
  named,
  reserveConfig,
  reserveSample,
  snapshot,
  vaultSample,
} from '../support/history/samples.ts';
import { importFrom } from './import-runs.ts';

const HOUR_MS = 3_600_000;
/** The world is frozen at this moment. */
const NOW = Date.UTC(2026, 5, 1);
const FIRST = NOW - 40 * 24 * HOUR_MS;

interface Listed {
  readonly market: Address;
  readonly reserves: readonly Address[];
  readonly vaults: readonly Address[];
}

/** Numbers differ in each hour, and most have a mean without a finite decimal form. */
function samplesAt(ms: number, { market, reserves, vaults }: Listed): Partial<Snapshot> {
  const i = Math.round((ms - FIRST) / 60_000);
  const apy = d(`0.0${(i % 97) + 1}000000000000000000000${i + 1}`);
  // Points without a price are left out of an answer: whole days of them, so that roll-ups agree on both sides.
  const known = Math.floor(ms / (24 * HOUR_MS)) % 7 !== 0;
  return {
    vaults: vaults.map((vault, v) =>
      vaultSample('', {
        vault,
        tvlUsd: known ? d(`${1_000 + i}.${v + 1}`) : null,
        tvlSol: known ? d(`${10 + i}.5`) : null,
        sharePriceUsd: known ? d(`1.00${i + 1}`) : null,
        interestUsd: known ? d(`${i}.25`) : null,
        interestSol: known ? d(`0.${i + 1}`) : null,
        apyActual: apy,
        apyFarmRewards: d(`0.001${i + 1}`),
        allocations: reserves.slice(0, v + 1).map((reserve) => ({ reserve, ratio: d('0.25') })),
        rewards: [{ mint: named('reward'), apy: d(`0.001${i + 1}`) }],
      }),
    ),
    reserves: reserves.map((reserve, r) =>
      reserveSample('', {
        reserve,
        config: reserveConfig({ market, loanToValue: i < 50_000 ? 0.7 : 0.75 }),
        supplyApy: apy,
        borrowApy: d(`0.1${i + 7}`),
        totalSupply: d(`${100_000 + i}.${r + 1}3`),
        priceUsd: known ? d(`1.0${i + 3}`) : null,
        rewards: r === 0 ? [{ mint: named('reward'), apy: d('0.02') }] : [],
      }),
    ),
    markets: [marketSample('', { market, depositUsd: d(`${i + 1}.5`), obligations: i + 1 })],
  };
}

/**
 * Where two answers differ. Numbers are published with 34 digits and stored with 30 places, so a mean that was imported and
 * is published again may differ beyond 28 digits.
 */
function differences(a: unknown, b: unknown, where = ''): string[] {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
    return [...keys].flatMap((key) => differences(at(a, key), at(b, key), `${where}.${key}`));
  }
  if (a === b || (isLong(a) && isLong(b) && isNear(parseDecimal(a), parseDecimal(b)))) return [];
  return [`${where}: ${String(a)}, ${String(b)}`];
}

const isLong = (value: unknown): value is string => typeof value === 'string' && /^\d+\.\d{20,}$/.test(value);
const isNear = (a: Rational, b: Rational) =>
  a
    .sub(b)
    .abs()
    .compare(a.div(integer(10n ** 28n))) <= 0;

describe.each(postgres())('an import from another Sluice gateway', (kind) => {
  const localChain = unchangedChain();
  const stops: (() => Promise<unknown>)[] = [];
  const histories: HistoryDatabase[] = [];
  const apps: TestApp[] = [];
  let server: Server;
  let url: string;
  let listed: Listed;

  beforeAll(async () => {
    const rpc = await serveChain(localChain);
    stops.push(() => rpc.close());
    for (const _ of [1, 2]) {
      const history = await openHistory(kind);
      histories.push(history);
      const env = { ...STILL, DATABASE_URL: history.url, RECORDER: 'none' };
      apps.push(await startReadyApp({ rpcUrls: [rpc.url], env }));
    }
    const [market = { lendingMarket: '' }] = await read<{ lendingMarket: Address }>(0, '/v2/svc-market');
    const lendingMarket = market.lendingMarket as Address;
    const reserves = await read<{ reserve: Address }>(0, `/svc-market/${lendingMarket}/reserves/metrics`);
    const vaults = await read<{ address: Address }>(0, '/kvaults/vaults');
    listed = {
      market: lendingMarket,
      reserves: reserves.slice(0, 3).map(({ reserve }) => reserve),
      vaults: vaults.slice(0, 2).map(({ address }) => address),
    };
    await fill();
    server = createServer(requestListener((request) => appAt(0).app.fetch(request)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    for (const app of apps) await app.stop();
    for (const stop of stops) await stop();
    for (const history of histories) await history.drop();
  });

  const appAt = (index: number): TestApp => {
    const app = apps[index];
    if (app === undefined) throw new Error('the gateway has not started');
    return app;
  };

  async function read<T>(index: number, path: string): Promise<T[]> {
    for (;;) {
      const response = await appAt(index).get(path);
      const body = (await response.json()) as T[];
      if (response.status === 200) return body;
      if (!JSON.stringify(body).includes('being opened')) throw new Error(JSON.stringify(body));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Forty days of hours, and minutes with gaps for the last half day. */
  async function fill(): Promise<void> {
    const [history] = histories;
    if (history === undefined) return;
    const every = (from: number, to: number, ms: number) =>
      Array.from({ length: (to - from) / ms }, (_, i) => from + i * ms);
    const whole = every(FIRST, NOW - 12 * HOUR_MS, HOUR_MS).map((ms) =>
      snapshot(new Date(ms + HOUR_MS - 1), samplesAt(ms, listed)),
    );
    await writeHistory(history.db, history.fence, HOUR, whole);
    const minutes = every(NOW - 12 * HOUR_MS, NOW, 60_000)
      .filter((ms) => (ms / 60_000) % 11 !== 0)
      .map((ms) => snapshot(new Date(ms + 1_000), samplesAt(ms, listed)));
    await writeHistory(history.db, history.fence, MINUTE, minutes);
  }

  it('produces equal histories for all subjects and steps', async () => {
    const [, history] = histories;
    const args = ['--minutes'];
    const { ok, lines } = await importFrom(url, history?.url ?? '', {
      args,
      now: new Date(NOW + 30 * 60_000),
    });
    expect(lines.filter((line) => line.startsWith('not imported'))).toEqual([]);
    expect(ok).toBe(true);
    const { market, reserves, vaults } = listed;
    const ofReserves = reserves.flatMap((reserve) =>
      ['minute', 'hour', 'day'].map(
        (step) => `/svc-market/${market}/reserves/${reserve}/metrics/history?frequency=${step}`,
      ),
    );
    const others = [
      ...vaults.map((vault) => `/kvaults/vaults/${vault}/metrics/history`),
      `/svc-market/${market}/metrics/history`,
    ];
    const ofHours = others.flatMap((path) => [
      `${path}?start=2026-04-22&end=2026-05-20`,
      `${path}?start=2026-05-10&end=2026-06-01`,
    ]);
    for (const path of [...ofReserves, ...others, ...ofHours]) {
      const [a, b] = [await read(0, path), await read(1, path)];
      const points = (answer: unknown) =>
        Array.isArray(answer) ? answer : (answer as { history: [] }).history;
      expect(points(a).length, path).toBeGreaterThan(20);
      expect(differences(a, b), path).toEqual([]);
    }
  });
});
