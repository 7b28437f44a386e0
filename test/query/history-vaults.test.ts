import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VaultSample } from '../../src/store/history/samples.ts';
import { DAY, HOUR, MINUTE, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, snapshot, vaultSample } from '../support/history/samples.ts';
import { withoutPauses } from '../support/timing/without-pauses.ts';

let world: HistoryWorld;
beforeAll(async () => {
  world = await startHistoryWorld();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  // Results cached for the last View must not answer for this one.
  await world.nextView();
  world.statements.length = 0;
});

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
type Vault = VaultSample['vault'];

const ago = (ms: number) => world.ago(ms);
const vaults = () => world.localChain.worldChain.world.vaults.map(({ address }) => address as Vault);

async function write(step: Step, at: Date, samples: readonly VaultSample[]) {
  const { db, fence } = world.history;
  await writeHistory(db, fence, step, [snapshot(at, { vaults: samples })]);
}

describe('a realised yield', () => {
  withoutPauses();

  const WINDOWS = { H24: 1, D7: 7, D14: 14, D30: 30, D60: 60, D90: 90, D180: 180, D365: 365 } as const;
  const document = `query ($address: Address!) { vault(address: $address) { tokensPerShare
    ${Object.keys(WINDOWS)
      .map((window) => `${window}: realisedInterestApy(over: ${window}) { apy from }`)
      .join(' ')}
  } }`;

  interface Realised {
    readonly apy: string;
    readonly from: string;
  }
  type Answer = { vault: { tokensPerShare: string } & Record<keyof typeof WINDOWS, Realised | null> };

  const asked = async (address: string) => {
    const answer = await world.query<Answer>(document, { address });
    expect(answer.errors).toEqual([]);
    return answer.data.vault;
  };

  /** (last / first) ^ (a year / the time between) - 1, by logarithms. */
  const expected = (first: string, last: string, seconds: number) =>
    Math.expm1((Math.log1p((Number(last) - Number(first)) / Number(first)) * 31_536_000) / seconds);

  const close = (text: string | undefined, number: number) =>
    expect(Math.abs(Number(text) / number - 1), `${text} and ${number}`).toBeLessThan(1e-9);

  /** So much less than a share is worth now. */
  const less = async (parts: number) => {
    const { data } = await world.query<Answer>(
      'query ($address: Address!) { vault(address: $address) { tokensPerShare } }',
      { address: world.localChain.addresses.vault },
    );
    return (Number(data.vault.tokensPerShare) * (1 - parts)).toFixed(12);
  };

  it('is the growth of tokens per share since the start of the window', async () => {
    const vault = world.localChain.addresses.vault as Vault;
    const seen = new Map<number, string>();
    for (const days of [400, 365, 180, 90, 60, 30, 14, 7, 1]) {
      const tokens = await less(days / 8_000);
      seen.set(days, tokens);
      // The sample that a window begins with is the newest up to then, here an hour earlier.
      await write(HOUR, ago(days * DAY_MS + HOUR_MS), [
        vaultSample('v', { vault, tokensPerShare: d(tokens) }),
      ]);
    }
    world.statements.length = 0;
    const { tokensPerShare, ...windows } = await asked(vault);
    for (const [window, days] of Object.entries(WINDOWS)) {
      const realised = windows[window as keyof typeof WINDOWS];
      close(realised?.apy, expected(seen.get(days) ?? '', tokensPerShare, days * 86_400 + 3_600));
      expect(realised).toEqual({
        apy: expect.stringMatching(/^0\.\d{20,30}$/),
        from: ago(days * DAY_MS + HOUR_MS).toISOString(),
      });
    }
    expect(world.statements).toHaveLength(1);
  });

  it('annualises the recorded part if history is shorter, and reports its start', async () => {
    const vault = world.localChain.addresses.vault as Vault;
    const tokens = await less(0.000_02);
    await write(HOUR, ago(6 * HOUR_MS), [vaultSample('v', { vault, tokensPerShare: d(tokens) })]);
    const { tokensPerShare, ...windows } = await asked(vault);
    for (const realised of Object.values(windows)) {
      close(realised?.apy, expected(tokens, tokensPerShare, 6 * 3_600));
      expect(realised?.from).toBe(ago(6 * HOUR_MS).toISOString());
    }
  });

  it('starts with the first shares if the vault was recorded before there were any', async () => {
    const vault = world.localChain.addresses.vault as Vault;
    const tokens = await less(0.01);
    const seen = (days: number, price: string) =>
      write(HOUR, ago(days * DAY_MS), [vaultSample('v', { vault, tokensPerShare: d(price) })]);
    await seen(100, '0');
    await seen(60, tokens);
    const { tokensPerShare, ...windows } = await asked(vault);
    for (const realised of [windows.D30, windows.D90, windows.D180, windows.D365]) {
      close(realised?.apy, expected(tokens, tokensPerShare, 60 * 86_400));
      expect(realised?.from).toBe(ago(60 * DAY_MS).toISOString());
    }
  });

  it('is null if there were no shares at the start of the window, but earlier ones', async () => {
    const vault = world.localChain.addresses.vault as Vault;
    const tokens = await less(0.01);
    const seen = (days: number, price: string) =>
      write(HOUR, ago(days * DAY_MS), [vaultSample('v', { vault, tokensPerShare: d(price) })]);
    await seen(60, tokens);
    await seen(20, '0');
    const { H24, D7, D30, D365 } = await asked(vault);
    expect([H24, D7]).toEqual([null, null]);
    for (const realised of [D30, D365]) expect(realised?.from).toBe(ago(60 * DAY_MS).toISOString());
  });

  it('is null without a record, and "0" on REST', async () => {
    const { vault } = world.localChain.addresses;
    const { tokensPerShare, ...windows } = await asked(vault);
    expect(Object.values(windows)).toEqual(Object.keys(WINDOWS).map(() => null));
    const { body } = await world.get(`/kvaults/vaults/${vault}/metrics`);
    expect(body).toMatchObject({ apy24h: '0', apy365d: '0', numberOfHolders: 0, tokensPerShare });
  });

  it('is read for all vaults with one statement, and once per View for both APIs', async () => {
    await write(
      HOUR,
      ago(30 * HOUR_MS),
      vaults().map((vault) => vaultSample('v', { vault, tokensPerShare: d('0.99') })),
    );
    world.statements.length = 0;
    const many =
      '{ vaults(first: 100) { nodes { address day: realisedInterestApy(over: H24) { apy } week: realisedInterestApy(over: D7) { apy } } } }';
    type Many = { vaults: { nodes: { address: string; day: { apy: string } | null }[] } };
    const first = await world.query<Many>(many);
    expect([first.errors, first.data.vaults.nodes.length]).toEqual([[], vaults().length]);
    expect(world.statements).toHaveLength(1);
    expect((await world.query<Many>(many)).data).toEqual(first.data);
    expect(world.statements).toHaveLength(1);
    for (const { address, day } of first.data.vaults.nodes) {
      const { body } = await world.get(`/kvaults/vaults/${address}/metrics`);
      expect(body).toMatchObject({ apy24h: day?.apy ?? '0' });
    }
    // The holders, one vault at a time; yields are not read again.
    expect(world.statements.filter((text) => text.includes('tokens_per_share'))).toHaveLength(1);
  });
});

describe('holders', () => {
  it('are the latest count, and order vaults', async () => {
    const all = vaults();
    const counted = (holders: (i: number) => number | null) =>
      all.map((vault, i) => vaultSample('v', { vault, holders: holders(i) }));
    await write(
      DAY,
      ago(5 * DAY_MS),
      counted((i) => 1_000 - i),
    );
    await write(
      MINUTE,
      ago(3 * HOUR_MS),
      counted((i) => (i === 0 ? null : i)),
    );
    await write(
      MINUTE,
      ago(60_000),
      counted(() => null),
    );
    world.statements.length = 0;
    const { data, errors } = await world.query<{
      vaults: { nodes: { address: string; holders: number }[] };
    }>('{ vaults(first: 100, orderBy: { field: HOLDERS, direction: DESC }) { nodes { address holders } } }');
    expect(errors).toEqual([]);
    expect(world.statements).toHaveLength(1);
    const [first, ...rest] = all;
    expect(data.vaults.nodes).toEqual([
      { address: first, holders: 1_000 },
      ...rest.map((address, i) => ({ address, holders: i + 1 })).reverse(),
    ]);
    const { body } = await world.get(`/kvaults/vaults/${first}/metrics`);
    expect(body).toMatchObject({ numberOfHolders: 1_000 });
  });

  it('continue from a cursor in the order of the first page', async () => {
    const all = vaults();
    await write(
      MINUTE,
      ago(60_000),
      all.map((vault, i) => vaultSample('v', { vault, holders: i })),
    );
    const page = (after: string | null) =>
      world.query<{
        vaults: { nodes: { holders: number }[]; pageInfo: { endCursor: string; hasNextPage: boolean } };
      }>(
        `query ($after: String) { vaults(first: 3, after: $after, orderBy: { field: HOLDERS, direction: ASC }) {
          nodes { holders } pageInfo { endCursor hasNextPage }
        } }`,
        { after },
      );
    const seen: number[] = [];
    for (let after: string | null = null; ; ) {
      const { data } = await page(after);
      seen.push(...data.vaults.nodes.map(({ holders }) => holders));
      if (!data.vaults.pageInfo.hasNextPage) break;
      after = data.vaults.pageInfo.endCursor;
      await world.nextView();
    }
    expect(seen).toEqual(all.map((_, i) => i));
  });
});

describe('the earn summary', () => {
  const summary = async (kind = 'DEFAULT') => {
    const { data, errors } = await world.query<{
      earnSummary: Record<'interest' | 'rewards' | 'reserveRewards' | 'total', { usd: string; sol: string }>;
    }>(
      `query ($kind: EarnKind) { earnSummary(kind: $kind) {
        interest { usd } rewards { usd } reserveRewards { usd sol } total { usd }
      } }`,
      { kind },
    );
    expect(errors).toEqual([]);
    return data.earnSummary;
  };

  it('sums 1/365 of each recorded day\u2019s reward yield of the reserves', async () => {
    const [first, second] = vaults();
    if (first === undefined || second === undefined) throw new Error('the world has no vaults');
    const rewarded = (vault: Vault, apy: string, usd: string | null) =>
      vaultSample('v', { vault, apyReservesIncentives: d(apy), tvlUsd: usd === null ? null : d(usd) });
    await write(DAY, ago(2 * DAY_MS + 1_000), [
      rewarded(first, '0.073', '1000'),
      rewarded(second, '0.1', null),
    ]);
    await write(DAY, ago(DAY_MS + 1_000), [rewarded(first, '0.0365', '2000')]);
    // Two samples of the last day: their mean yield, and the value at its end.
    await write(HOUR, ago(5 * HOUR_MS + 1_000), [rewarded(second, '0.1', '5')]);
    await write(HOUR, ago(4 * HOUR_MS + 1_000), [rewarded(second, '0.2', '365')]);
    world.statements.length = 0;
    const { reserveRewards, interest, rewards, total } = await summary();
    // 1000 x 0.073 / 365 + 2000 x 0.0365 / 365 + 365 x 0.15 / 365
    expect(reserveRewards.usd).toBe('0.55');
    const parts = [interest.usd, rewards.usd, reserveRewards.usd].map(Number);
    expect(Number(total.usd)).toBeCloseTo(
      parts.reduce((a, b) => a + b),
      4,
    );
    const { body } = await world.get('/kvaults/summary');
    expect(body).toMatchObject({ earnings: { reserveRewards, total: { usd: total.usd } } });
    expect(world.statements).toHaveLength(1);
  });

  it('is zero without a record', async () => {
    expect((await summary('PRIVATE_CREDIT')).reserveRewards).toEqual({ usd: '0', sol: '0' });
  });
});
