import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleVariables, readExamples } from '../../src/graphql/examples/examples.ts';
import { takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { failures } from '../support/apps/test-app.ts';
import { withoutPauses } from '../support/timing/without-pauses.ts';

const NO_ADDRESS = '11111111111111111111111111111111';
const HOURS = 30;

let world: HistoryWorld;
beforeAll(async () => {
  world = await startHistoryWorld();
  await world.query('{ chain { slot } }');
  const present = takeSnapshot(world.view, {
    holders: new Map([...world.view.all('vault').keys()].map((vault) => [vault, 7])),
    obligations: new Map(),
  });
  const hours = Array.from({ length: HOURS }, (_, i) => ({
    ...present,
    sampledAt: new Date(present.sampledAt.getTime() - (HOURS - 1 - i) * 3_600_000 - 1_000),
  }));
  await writeHistory(world.history.db, world.history.fence, HOUR, hours);
});
afterAll(() => world?.stop());
afterEach(() => {
  world.mode = 'ready';
  world.statements.length = 0;
});

/** Operations whose answer is history itself. */
function recordedUrls(): string[] {
  const { vault, market, depositReserve } = world.localChain.addresses;
  return [
    `/kvaults/vaults/${vault}/metrics/history`,
    `/svc-market/${market}/metrics/history`,
    `/svc-market/${market}/reserves/${depositReserve}/metrics/history`,
    `/svc-market/${market}/leverage/metrics`,
    `/klend/${depositReserve}/${NO_ADDRESS}/rewards/history`,
  ];
}

const document = `query ($vault: Address!, $reserve: Address!, $market: Address!) {
  vault(address: $vault) { name holders realisedInterestApy(over: D7) { apy } metricsHistory { complete } }
  reserve(address: $reserve) { address metricsHistory { complete } }
  market(address: $market) { name metricsHistory { complete } }
  earnSummary { interest { usd } reserveRewards { usd sol } total { usd } }
  chain { recorder { status leading lagMs doing percent } }
}`;
const variables = () => {
  const { vault, market, depositReserve } = world.localChain.addresses;
  return { vault, market, reserve: depositReserve };
};

describe('without history', () => {
  it('GraphQL returns an error on each history field, and null where history is only a part', async () => {
    world.mode = 'off';
    await world.nextView();
    const answer = await world.query<Record<string, Record<string, unknown>>>(document, variables());
    expect(failures(answer).sort()).toEqual([
      'market.metricsHistory: HISTORY_DISABLED',
      'reserve.metricsHistory: HISTORY_DISABLED',
      'vault.metricsHistory: HISTORY_DISABLED',
      'vault.realisedInterestApy: HISTORY_DISABLED',
    ]);
    expect(answer.data.vault).toMatchObject({
      holders: null,
      realisedInterestApy: null,
      metricsHistory: null,
    });
    expect(answer.data.earnSummary?.reserveRewards).toEqual({ usd: null, sol: null });
    expect(answer.data.earnSummary?.total).toEqual({ usd: expect.stringMatching(/^\d/) });
    expect(answer.data.chain).toEqual({ recorder: null });
  });

  it.each([
    ['lendingRewardHistory', '{ lendingRewardHistory { apy } }'],
    ['obligations', 'query ($market: Address!) { obligations(scope: { market: $market }) { totalCount } }'],
  ])('%s is an error', async (field, query) => {
    world.mode = 'off';
    const { market } = world.localChain.addresses;
    expect(failures(await world.query(query, { market }))).toEqual([`${field}: HISTORY_DISABLED`]);
  });

  it('REST returns zeros where history is only a part, and a permanent error where it is everything', async () => {
    world.mode = 'off';
    await world.nextView();
    const { vault } = world.localChain.addresses;
    const metrics = await world.get(`/kvaults/vaults/${vault}/metrics`);
    expect(metrics).toMatchObject({ status: 200, body: { apy24h: '0', apy365d: '0', numberOfHolders: 0 } });
    const summary = await world.get('/kvaults/summary');
    expect(summary).toMatchObject({
      status: 200,
      body: { earnings: { reserveRewards: { usd: '0', sol: '0' } } },
    });
    for (const url of recordedUrls()) {
      const { status, headers } = await world.get(url);
      expect([url, status, headers.get('x-error-code'), headers.get('retry-after')]).toEqual([
        url,
        409,
        'HISTORY_DISABLED',
        null,
      ]);
    }
  });
});

const NOT_READABLE = [
  {
    mode: 'starting',
    code: 'HISTORY_STARTING',
    status: 503,
    message: 'History is starting: the past is being generated (41 % done). Try again in a few seconds.',
    progress: { percent: 41 },
    recorder: {
      status: 'STARTING',
      leading: null,
      lagMs: null,
      doing: 'the past is being generated',
      percent: 41,
    },
  },
  {
    mode: 'unavailable',
    code: 'HISTORY_UNAVAILABLE',
    status: 500,
    message: 'The history database is unavailable (the database is gone). Try again shortly.',
    progress: {},
    recorder: {
      status: 'UNAVAILABLE',
      leading: null,
      lagMs: null,
      doing: 'the database is gone',
      percent: null,
    },
  },
] as const;

describe.each(NOT_READABLE)(
  'history that is $mode',
  ({ mode, code, status: httpStatus, message, progress, recorder }) => {
    it('is an error on each field that needs it, and the others answer', async () => {
      world.mode = mode;
      await world.nextView();
      const answer = await world.query<Record<string, Record<string, unknown>>>(document, variables());
      expect(failures(answer).sort()).toEqual([
        `earnSummary: ${code}`,
        `market.metricsHistory: ${code}`,
        `reserve.metricsHistory: ${code}`,
        `vault.holders: ${code}`,
        `vault.metricsHistory: ${code}`,
        `vault.realisedInterestApy: ${code}`,
      ]);
      for (const { message: shown, extensions } of answer.errors) {
        expect([shown, extensions]).toEqual([message, { ...progress, code, retryable: true }]);
      }
      expect(answer.data.vault?.name).toEqual(expect.any(String));
      expect(answer.data.chain).toEqual({ recorder });
    });

    it('is an error with Retry-After on REST, and answers once it is back', async () => {
      world.mode = mode;
      await world.nextView();
      const { vault } = world.localChain.addresses;
      const urls = [...recordedUrls(), `/kvaults/vaults/${vault}/metrics`, '/kvaults/summary'];
      for (const url of urls) {
        const { status, headers, body } = await world.get(url);
        const answer = [status, headers.get('x-error-code'), headers.get('retry-after'), body];
        expect([url, ...answer]).toEqual([url, httpStatus, code, '2', { error: message }]);
      }
      world.mode = 'ready';
      for (const url of urls) expect([url, (await world.get(url)).status]).toEqual([url, 200]);
      expect(failures(await world.query(document, variables()))).toEqual([]);
    });
  },
);

it('history that is ready is reported in the recorder status', async () => {
  const { data } = await world.query('{ chain { recorder { status leading lagMs doing percent } } }');
  expect(data).toEqual({
    chain: { recorder: { status: 'READY', leading: true, lagMs: 1_500, doing: null, percent: null } },
  });
});

describe('statements', () => {
  withoutPauses();

  const counted = async (query: string, given: Readonly<Record<string, unknown>> = {}) => {
    world.statements.length = 0;
    const answer = await world.query(query, given);
    expect(answer.errors).toEqual([]);
    return world.statements.length;
  };

  it('many sparklines take one', async () => {
    expect(
      await counted(
        '{ vaults(first: 100) { nodes { metricsHistory(maxPoints: 50) { points { timestamp totalValueUsd apy { total } } } } } }',
      ),
    ).toBe(1);
    expect(
      await counted(
        '{ reserves(first: 100) { nodes { metricsHistory(maxPoints: 50) { points { supplyInterestApy } } } } }',
      ),
    ).toBe(1);
    expect(
      await counted(
        '{ markets(first: 100) { nodes { metricsHistory(maxPoints: 50) { points { suppliedUsd } } } } }',
      ),
    ).toBe(1);
  });

  it('several ranges of many vaults still take one', async () => {
    expect(
      await counted(`{ vaults(first: 100) { nodes {
        day: metricsHistory(range: { start: "2026-05-31" }, maxPoints: 50) { points { timestamp } }
        month: metricsHistory(interval: DAY, maxPoints: 50) { points { timestamp } }
        again: metricsHistory(interval: DAY, maxPoints: 50) { complete }
      } } }`),
    ).toBe(1);
  });

  it('the reserves of many vaults take one more', async () => {
    expect(
      await counted(
        '{ vaults(first: 100) { nodes { metricsHistory(maxPoints: 20) { points { reserves { share supplyInterestApy rewardsApy } } } } } }',
      ),
    ).toBe(2);
  });

  it('a vault reached through a reserve is read with the others', async () => {
    expect(
      await counted(
        '{ reserves(first: 10) { nodes { vaults(first: 5) { nodes { metricsHistory(maxPoints: 20) { points { timestamp } } } } } } }',
      ),
    ).toBe(1);
  });

  it('a REST answer takes one, plus one for the reserves of a vault', async () => {
    const costs = [2, 1, 1, 1, 1];
    for (const [i, url] of recordedUrls().entries()) {
      world.statements.length = 0;
      expect((await world.get(url)).status).toBe(200);
      expect([url, world.statements.length]).toEqual([url, costs[i]]);
    }
  });
});

describe('the example query about history', () => {
  it('answers', async () => {
    const example = readExamples().find(({ name }) => name === 'history');
    if (example === undefined) throw new Error('there is no such example');
    const answer = await world.query<{ vaults: { nodes: { metricsHistory: { points: unknown[] } }[] } }>(
      example.query,
      exampleVariables(example, { ...world.localChain.addresses }),
    );
    expect(answer.errors).toEqual([]);
    for (const { metricsHistory } of answer.data.vaults.nodes) {
      expect(metricsHistory.points.length).toBeGreaterThan(1);
    }
  });
});
