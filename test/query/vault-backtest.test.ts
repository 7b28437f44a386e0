import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReserveSample, VaultSample } from '../../src/store/history/samples.ts';
import { DAY, HOUR, type Step } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { d, reserveSample, snapshot, vaultSample } from '../support/history/samples.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The program's year for the management fee, in seconds. */
const FEE_YEAR = 31_556_926;

let world: HistoryWorld;
/** Reserves of the token of the vault; the first ones are its own. */
let reserves: readonly string[];
/** A reserve of another token. */
let foreign: string;
let vault: string;

beforeAll(async () => {
  world = await startHistoryWorld();
  const { worldChain, addresses } = world.localChain;
  vault = addresses.vault;
  const ofToken = worldChain.world.reserves.filter(({ token }) => token.mint.address === addresses.tokenMint);
  const own = ownAllocations().map(({ reserve }) => reserve.address as string);
  reserves = [...new Set([...own, ...ofToken.map(({ address }) => address as string)])];
  foreign =
    worldChain.world.reserves.find(({ token }) => token.mint.address !== addresses.tokenMint)?.address ?? '';
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.nextView();
});

const worldVault = () =>
  world.localChain.worldChain.world.vaults.find(({ address }) => address === vault) ??
  expect.fail('no vault');
const ownAllocations = () => worldVault().allocations;
const ago = (days: number) => world.ago(days * DAY_MS);

/** Exchange rates of reserves, and tokens per share of the vault, at one time. */
async function record(
  sampledAt: Date,
  rates: Readonly<Record<string, string>>,
  tokensPerShare: string | null = null,
  step: Step = DAY,
) {
  const { db, fence } = world.history;
  const sampled = Object.entries(rates).map(([reserve, exchangeRate]) =>
    reserveSample('r', { reserve: reserve as ReserveSample['reserve'], exchangeRate: d(exchangeRate) }),
  );
  const vaults =
    tokensPerShare === null
      ? []
      : [
          vaultSample('v', {
            vault: vault as VaultSample['vault'],
            tokensPerShare: d(tokensPerShare),
          }),
        ];
  await writeHistory(db, fence, step, [snapshot(sampledAt, { reserves: sampled, vaults })]);
}

interface Growth {
  readonly growth: string;
  readonly apy: string;
}
interface Outcome {
  readonly beforeFees: Growth | null;
  readonly afterFees: Growth | null;
  readonly unallocatedShare: string;
  readonly unallocatedWeight: string;
  readonly unknown: string | null;
  readonly unknownReserveAddress: string | null;
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly share: string;
    readonly own: Growth | null;
    readonly contribution: string | null;
    readonly recordedSince: string | null;
    readonly gaps: readonly { readonly from: string; readonly to: string; readonly bridged: boolean }[];
  }[];
}
interface Backtest {
  readonly from: string | null;
  readonly to: string | null;
  readonly interval: string;
  readonly given: Outcome;
  readonly current: Outcome;
  readonly recorded: {
    readonly growth: Growth | null;
    readonly tokensPerShareFrom: string | null;
    readonly tokensPerShareTo: string | null;
    readonly unknown: string | null;
  };
  readonly limits: readonly { readonly code: string; readonly message: string }[];
}

const OUTCOME = `{ beforeFees { growth apy } afterFees { growth apy } unallocatedShare unallocatedWeight
  unknown unknownReserveAddress
  reserves { reserveAddress share own { growth apy } contribution recordedSince gaps { from to bridged } } }`;
const DOCUMENT = `query ($address: Address!, $weights: [VaultWeightInput!]!, $unallocated: U64, $range: TimeRange, $last: Period) {
  vault(address: $address) { fees { performanceBps managementBps }
    backtest(weights: $weights, unallocatedWeight: $unallocated, range: $range, last: $last) {
      from to interval given ${OUTCOME} current ${OUTCOME}
      recorded { growth { growth apy } tokensPerShareFrom tokensPerShareTo unknown } limits { code message }
  } } }`;

interface Asked {
  readonly weights: Readonly<Record<string, number>> | readonly object[];
  readonly unallocated?: number;
  readonly range?: { readonly start?: Date; readonly end?: Date };
  readonly last?: string;
}

const ask = ({ weights, unallocated, range, last }: Asked) =>
  world.query<{
    vault: {
      fees: { performanceBps: number; managementBps: number };
      backtest: Backtest | null;
    };
  }>(DOCUMENT, {
    address: vault,
    weights: Array.isArray(weights)
      ? weights
      : Object.entries(weights).map(([reserve, weight]) => ({ reserve, weight: String(weight) })),
    unallocated: unallocated === undefined ? null : String(unallocated),
    range: range ?? null,
    last: last ?? null,
  });

async function backtest(asked: Asked) {
  const { data, errors } = await ask(asked);
  expect(errors).toEqual([]);
  return { ...data.vault, backtest: data.vault.backtest ?? expect.fail('no backtest') };
}

const yearly = (factor: number, seconds: number) => Math.expm1((Math.log(factor) * 31_536_000) / seconds);
const close = (text: string | undefined, number: number) =>
  expect(Math.abs(Number(text) / number - 1), `${text} and ${number}`).toBeLessThan(1e-9);

const [A, B, C] = [0, 1, 2].map((i) => () => reserves[i] ?? expect.fail('too few reserves')) as [
  () => string,
  () => string,
  () => string,
];
const dayOf = (instant: Date, plus = 0) =>
  new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS + plus * DAY_MS).toISOString();

describe('a backtest of a vault', () => {
  it('grows with the exchange rates of the reserves, at its weights again at each record', async () => {
    await record(ago(3), { [A()]: '1', [B()]: '1' }, '1');
    await record(ago(2), { [A()]: '0.8', [B()]: '1' }, '1.001');
    await record(ago(1), { [A()]: '0.64', [B()]: '0.5' }, '1.21');
    const range = { start: ago(3), end: new Date(ago(1).getTime() + 1) };
    const { fees, backtest: found } = await backtest({
      weights: { [A()]: 3, [B()]: 1 },
      unallocated: 1,
      range,
    });
    expect(found).toMatchObject({
      from: ago(3).toISOString(),
      to: ago(1).toISOString(),
      interval: 'DAY',
    });
    const { given, recorded } = found;
    // 60 % of it grows by a quarter twice, 20 % doubles on the second day: 1.15 * 1.35.
    expect(given.beforeFees?.growth).toBe('0.5525');
    close(given.beforeFees?.apy, yearly(1.5525, 2 * 86_400));
    expect(given.unallocatedShare).toBe('0.2');
    expect(given.reserves).toEqual([
      {
        reserveAddress: A(),
        share: '0.6',
        own: { growth: '0.5625', apy: expect.any(String) },
        contribution: '0.3225',
        recordedSince: dayOf(ago(3)),
        gaps: [],
      },
      {
        reserveAddress: B(),
        share: '0.2',
        own: { growth: '1', apy: expect.any(String) },
        contribution: '0.23',
        recordedSince: dayOf(ago(3)),
        gaps: [],
      },
    ]);
    const [performance, management] = [
      fees.performanceBps / 10_000,
      (fees.managementBps / 10_000) * (86_400 / FEE_YEAR),
    ];
    const first = 1.15 - 0.15 * performance - management;
    close(given.afterFees?.growth, first * (1.35 - 0.35 * performance - management) - 1);
    expect(Number(given.afterFees?.growth)).toBeLessThan(0.5525);
    expect(recorded).toMatchObject({
      growth: { growth: '0.21' },
      tokensPerShareFrom: '1',
      tokensPerShareTo: '1.21',
      unknown: null,
    });
    close(recorded.growth?.apy, yearly(1.21, 2 * 86_400));
    expect(found.limits.map(({ code }) => code)).toEqual([
      'OWN_SIZE',
      'CAPS',
      'REBALANCING',
      'REWARDS',
      'FEES',
    ]);
  });

  it('compares with the weights that the vault has now', async () => {
    const all = (rate: string) =>
      Object.fromEntries(ownAllocations().map(({ reserve }) => [reserve.address, rate]));
    await record(ago(2), all('1'));
    await record(ago(1), all('0.8'));
    const { backtest: found } = await backtest({
      weights: { [A()]: 1 },
      unallocated: 0,
      range: { start: ago(2) },
    });
    expect(found.given.beforeFees?.growth).toBe('0.25');
    const idle = Number(worldVault().spec.unallocatedWeight);
    const invested = ownAllocations().reduce((sum, { weight }) => sum + weight, 0);
    close(found.current.beforeFees?.growth, (0.25 * invested) / (invested + idle));
    expect(found.current.reserves.map(({ reserveAddress }) => reserveAddress)).toEqual(
      ownAllocations().map(({ reserve }) => reserve.address),
    );
    expect(found.current.unallocatedWeight).toBe(String(idle));
    expect(found.recorded).toMatchObject({ growth: null, unknown: 'NOT_RECORDED_THEN' });
  });

  it('keeps what it has in a gap, and names it', async () => {
    const a = ['1', '0.8', '0.64', '0.512', '0.4096'];
    const b = ['1', '0.5', null, '0.25', '0.25'];
    for (const [i, rate] of a.entries()) {
      const other = b[i];
      await record(ago(5 - i), { [A()]: rate, ...(other ? { [B()]: other } : {}) });
    }
    const { backtest: found } = await backtest({
      weights: { [A()]: 1, [B()]: 1 },
      unallocated: 0,
      range: { start: ago(5), end: new Date(ago(1).getTime() + 1) },
    });
    // Over the gap the first half grows by 9/16 and the second one doubles: 1.625 * 1.78125 * 1.125.
    expect(found.given.beforeFees?.growth).toBe('2.25634765625');
    const [first, second] = found.given.reserves;
    expect(first?.gaps).toEqual([]);
    expect(second?.gaps).toEqual([{ from: dayOf(ago(3)), to: dayOf(ago(3), 1), bridged: true }]);
    expect(Number(first?.contribution) + Number(second?.contribution)).toBeCloseTo(2.25634765625, 12);
  });

  it('starts when all weighted reserves are recorded, and names what is left out', async () => {
    await record(ago(4), { [A()]: '1' });
    await record(ago(3), { [A()]: '0.5' });
    await record(ago(2), { [A()]: '0.5', [B()]: '1' });
    await record(ago(1), { [A()]: '0.4', [B()]: '1' });
    const { backtest: found } = await backtest({
      weights: { [A()]: 1, [B()]: 1 },
      unallocated: 0,
      range: { start: ago(4), end: new Date(ago(1).getTime() + 1) },
    });
    expect(found.from).toBe(ago(2).toISOString());
    // A quarter of one half.
    expect(found.given.beforeFees?.growth).toBe('0.125');
    expect(found.given.reserves[1]).toMatchObject({
      recordedSince: dayOf(ago(2)),
      own: { growth: '0', apy: '0' },
      contribution: '0',
      gaps: [{ from: dayOf(ago(4)), to: dayOf(ago(3), 1), bridged: false }],
    });
  });

  it('is unknown with a weighted reserve that has no record, and known when it has no weight', async () => {
    await record(ago(2), { [A()]: '1' });
    await record(ago(1), { [A()]: '0.8' });
    const range = { start: ago(2) };
    const { backtest: unknown } = await backtest({ weights: { [A()]: 1, [C()]: 1 }, range });
    expect(unknown).toMatchObject({
      from: null,
      to: null,
      given: {
        beforeFees: null,
        afterFees: null,
        unknown: 'RESERVE_NOT_RECORDED',
        unknownReserveAddress: C(),
      },
      current: { beforeFees: null, unknown: 'NOTHING_COMPARED' },
      recorded: { growth: null, unknown: 'NOTHING_COMPARED' },
    });
    expect(unknown.given.reserves[1]).toMatchObject({ own: null, contribution: null, recordedSince: null });
    const { backtest: known } = await backtest({
      weights: { [A()]: 1, [C()]: 0 },
      unallocated: 0,
      range,
    });
    expect(known.given).toMatchObject({ beforeFees: { growth: '0.25' }, unknown: null });
    expect(known.given.reserves[1]).toMatchObject({ share: '0', own: null, contribution: '0' });
    // The other reserves of the vault are not recorded.
    expect(known.current).toMatchObject({ beforeFees: null, unknown: 'NOT_RECORDED_THEN' });
    expect(known.current.unknownReserveAddress).not.toBe(A());
  });

  it('leaves all idle without weights, and charges the management fee', async () => {
    await record(ago(2), {}, '1');
    await record(ago(1), {}, '1.02');
    const { fees, backtest: found } = await backtest({
      weights: { [A()]: 0 },
      unallocated: 0,
      range: { start: ago(2) },
    });
    expect(found.given).toMatchObject({
      beforeFees: { growth: '0', apy: '0' },
      unallocatedShare: '1',
      unknown: null,
    });
    expect(Number(found.given.afterFees?.growth)).toBeCloseTo(
      (-fees.managementBps / 10_000) * (86_400 / FEE_YEAR),
      18,
    );
    expect(found.recorded.growth?.growth).toBe('0.02');
  });

  it('shows a loss, without a performance fee', async () => {
    await record(ago(2), { [A()]: '0.5' }, '0');
    await record(ago(1), { [A()]: '0.625' }, '0');
    const { fees, backtest: found } = await backtest({
      weights: { [A()]: 1 },
      unallocated: 0,
      range: { start: ago(2) },
    });
    expect(found.given.beforeFees?.growth).toBe('-0.2');
    close(found.given.afterFees?.growth, -0.2 - (fees.managementBps / 10_000) * (86_400 / FEE_YEAR));
    expect(found.recorded).toMatchObject({ growth: null, unknown: 'NO_SHARES', tokensPerShareFrom: '0' });
  });

  it('reads hours where they reach back, and the unallocated weight of the vault', async () => {
    const hours = (count: number) => world.ago(count * HOUR_MS);
    await record(hours(3), { [A()]: '1' }, null, HOUR);
    await record(hours(2), { [A()]: '0.8' }, null, HOUR);
    await record(hours(1), { [A()]: '0.5' }, null, HOUR);
    const { backtest: found } = await backtest({ weights: { [A()]: 100 }, last: 'H24' });
    expect(found).toMatchObject({
      interval: 'HOUR',
      from: hours(3).toISOString(),
      to: hours(1).toISOString(),
    });
    const idle = Number(worldVault().spec.unallocatedWeight);
    const share = 100 / (100 + idle);
    close(found.given.beforeFees?.growth, (1 + share * 0.25) * (1 + share * 0.6) - 1);
    expect(found.given.unallocatedWeight).toBe(String(idle));
  });

  it('takes the last 30 days without a start', async () => {
    await record(ago(40), { [A()]: '1' });
    await record(ago(20), { [A()]: '0.8' });
    await record(ago(10), { [A()]: '0.64' });
    const weights = { [A()]: 1 };
    const { backtest: found } = await backtest({ weights });
    expect(found).toMatchObject({ from: ago(20).toISOString(), to: ago(10).toISOString() });
    const { backtest: earlier } = await backtest({ weights, range: { end: ago(11) } });
    expect(earlier).toMatchObject({ from: ago(40).toISOString(), to: ago(20).toISOString() });
  });

  it('is unknown with a single record', async () => {
    await record(ago(1), { [A()]: '1' });
    const { backtest: found } = await backtest({ weights: { [A()]: 1 }, range: { start: ago(2) } });
    expect(found.given).toMatchObject({ beforeFees: null, unknown: 'TOO_FEW_RECORDS' });
  });

  it('refuses what makes no sense', async () => {
    const good = { weights: { [A()]: 1 }, range: { start: ago(2) } };
    const same = [A(), A()].map((reserve) => ({ reserve, weight: '1' }));
    const many = Array.from({ length: 26 }, () => ({ reserve: A(), weight: '1' }));
    const { emptyWallet } = world.localChain.addresses;
    for (const [asked, code] of [
      [{ ...good, range: { start: ago(1), end: ago(1) } }, 'BAD_REQUEST'],
      [{ ...good, range: { start: ago(1), end: ago(2) } }, 'BAD_REQUEST'],
      [{ ...good, range: { start: world.now } }, 'BAD_REQUEST'],
      [{ ...good, range: { start: ago(1_097) } }, 'BAD_REQUEST'],
      [{ ...good, last: 'D7' }, 'BAD_REQUEST'],
      [{ ...good, weights: { [emptyWallet]: 1 } }, 'KLEND_RESERVE_NOT_FOUND'],
      [{ ...good, weights: { [foreign]: 1 } }, 'WEIGHT_INVALID'],
      [{ ...good, weights: same }, 'WEIGHT_INVALID'],
      [{ ...good, weights: many }, 'NUMBER_OUT_OF_RANGE'],
    ] as const) {
      const { data, errors } = await ask(asked);
      expect(data.vault.backtest, code).toBeNull();
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual([code]);
    }
    expect(world.statements).toEqual([]);
  });

  it('is documented by a query that answers', async () => {
    const page = readFileSync(new URL('../../docs/curators.md', import.meta.url), 'utf8');
    const [document = ''] = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
      text.includes('backtest(') ? [text] : [],
    );
    const { reserve } = world.localChain.addresses;
    const all = (rate: string) => Object.fromEntries(reserves.map((each) => [each, rate]));
    await record(ago(60), all('1'), '1');
    await record(ago(30), all('0.8'), '1.1');
    const { data, errors } = await world.query<{ vault: { backtest: Backtest } }>(document, {
      vault,
      reserve,
    });
    expect(errors).toEqual([]);
    // 100 of 110 by weight.
    close(data.vault.backtest.given.beforeFees?.growth, 0.25 * (100 / 110));
    expect(data.vault.backtest).toMatchObject({
      given: { unknown: null, reserves: [{ reserve: { token: { symbol: expect.any(String) } } }] },
      current: { unknown: null },
      recorded: { growth: { growth: '0.1' } },
    });
  });

  it('needs history', async () => {
    world.mode = 'off';
    const { errors } = await ask({ weights: { [A()]: 1 }, last: 'D7' });
    world.mode = 'ready';
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['HISTORY_DISABLED']);
  });

  it('costs the points that it reads', async () => {
    const costOf = async (asked: Asked) => {
      const { extensions } = await ask(asked);
      return (extensions as { cost: { requested: number } }).cost.requested;
    };
    const week = await costOf({ weights: { [A()]: 1 }, last: 'D7' });
    // One more reserve, and its 169 hours.
    expect((await costOf({ weights: { [A()]: 1, [B()]: 1 }, last: 'D7' })) - week).toBe(169);
    // The vault, 8 reserves in general and the named one: 366 days instead of 169 hours each.
    expect((await costOf({ weights: { [A()]: 1 }, last: 'D365' })) - week).toBe(10 * (366 - 169));
  });
});
