import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exact } from '../../src/cli/deployment/fields.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { type FakeDeployment, startFakeDeployment } from './fake-deployment.ts';
import { importFrom, storedPoints } from './import-runs.ts';

const SEGMENT = 'live-market';

/** Answers as the platform's own service writes them, in the shapes that its clients parse. */
function asLive(path: string, body: unknown): unknown {
  if (path.includes('/kvaults/vaults/') && Array.isArray(body)) {
    return body.map((point) => ({
      ...point,
      apyIncentives: null,
      apyFarmRewards: '1.2e-7',
      interestSol: '3E-9',
    }));
  }
  if (!path.includes('/reserves/') || !path.includes('/history')) return body;
  const { reserve, history } = body as {
    readonly reserve: string;
    readonly history: readonly { readonly metrics: object }[];
  };
  const metrics = {
    borrowInterestAPY: 1.2e-7,
    accumulatedProtocolFees: '2.853643719022803e-8',
    totalBorrows: '3.061961672915367e+8',
    borrowCurve: [],
    borrowedAgainstCollateralInElevationGroups: [],
    borrowLimitAgainstCollateralInElevationGroups: [],
  };
  // It does not repeat the market.
  return {
    reserve,
    history: history.map((point) => ({ ...point, metrics: { ...point.metrics, ...metrics } })),
  };
}

describe.each(postgres())('answers of the live service, in $name', (kind) => {
  let source: FakeDeployment;
  let history: HistoryDatabase;

  beforeAll(async () => {
    source = await startFakeDeployment();
    source.segment = SEGMENT;
    source.reshape = asLive;
    history = await openHistory(kind);
  });
  afterAll(async () => {
    await history?.drop();
    await source?.close();
  });

  it('are imported: another path segment, exponents, null incentives', async () => {
    const { ok, lines } = await importFrom(source.url, history.url, { args: ['--segment', SEGMENT] });
    expect([ok, lines.filter((line) => line.startsWith('not imported'))]).toEqual([true, []]);
    expect(source.requests.every((path) => !path.includes('svc-market'))).toBe(true);
    const { reserves, vault, market } = await storedPoints(history.db, HOUR);
    expect(market.length).toBeGreaterThan(0);
    expect(reserves[0]?.at(-1)).toMatchObject({
      borrowApy: '0.00000012',
      accumulatedProtocolFees: '0.00000002853643719022803',
      totalBorrows: '306196167.2915367',
    });
    expect(vault.at(-1)).toMatchObject({
      apyIncentives: '0',
      apyFarmRewards: '0.00000012',
      interestSol: '0.000000003',
    });
  });

  it('are not found under another segment', async () => {
    const { ok, lines } = await importFrom(source.url, history.url, { args: ['--only', 'markets'] });
    expect(ok).toBe(false);
    expect(lines[0]).toContain('/v2/svc-market: status 404');
  });
});

describe('a decimal', () => {
  it.each([
    ['1.2e-7', '0.00000012'],
    ['-3E2', '-300'],
    ['1e+3', '1000'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('is exact: %s', (given, expected) => {
    expect(toDecimalString(exact.parse(given))).toBe(expected);
  });

  it.each(['1e999', 'e5', '1e', '1e5.5', 'NaN', 'Infinity', '', ' 1', '0x10'])('is rejected: %s', (given) => {
    expect(exact.safeParse(given).success).toBe(false);
  });
});
