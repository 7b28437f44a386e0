import { sum } from '@sluice/protocol/numeric/rational';
import { address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exact, expectExact, expectNear, ratio } from '../../packages/protocol/test/support/numbers.ts';
import { takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { HOUR as HOUR_STEP } from '../../src/store/history/time-buckets.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { DAY, HOUR, type PositionWorld, startPositionWorld } from '../support/apps/position-history-app.ts';
import { answerFaults, refusalFaults } from '../support/contract/answer-checks.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { NullRule } from '../support/operations/null-rule.ts';
import { expectRowParity, isCompared } from '../support/operations/parity.ts';
import { type Subjects, subjectsOf } from '../support/operations/subjects.ts';
import { VAULT_VOLUME_ROW } from '../support/operations/vault-history.ts';
import { VAULT_POSITION_ROWS } from '../support/operations/vault-positions.ts';
import { WALLET_VAULT_ROWS } from '../support/operations/wallet-vaults.ts';

let world: PositionWorld;
let subjects: Subjects;
/** The same world as the suites of the contract take it. */
let site: Pick<ContractWorld, 'get' | 'ask' | 'gateway'>;

beforeAll(async () => {
  world = await startPositionWorld();
  subjects = subjectsOf(world.localChain);
  const read = async (url: string) => {
    const { body, ...rest } = await world.get(url);
    return { ...rest, body, text: JSON.stringify(body) };
  };
  const query = (document: string, { variables }: { variables?: Readonly<Record<string, unknown>> } = {}) =>
    world.query(document, variables);
  site = {
    get: read,
    ask: ({ url }) => read(url),
    gateway: { query } as unknown as ContractWorld['gateway'],
  };
  const wallets = subjects.wallets.slice(0, 5);
  await world.ingest(wallets.map((each) => address(each)));
  const present = takeSnapshot(world.view, { holders: new Map(), obligations: new Map() });
  const before = (ms: number) => ({ ...present, sampledAt: new Date(world.now.getTime() - ms) });
  const { db, fence } = world.history;
  await writeHistory(
    db,
    fence,
    DAY,
    Array.from({ length: 40 }, (_, i) => before((40 - i) * DAY * 1_000 - 60_000)),
  );
  await writeHistory(
    db,
    fence,
    HOUR_STEP,
    Array.from({ length: 48 }, (_, i) => before((48 - i) * HOUR * 1_000 - 60_000)),
  );
});
afterAll(() => world?.stop());

describe.each([...WALLET_VAULT_ROWS, ...VAULT_POSITION_ROWS, VAULT_VOLUME_ROW])('$method $path', (row) => {
  it('answers in the documented shape for wallets with history', async () => {
    const faults: Record<string, string[]> = {};
    for (const { url } of row.requests(subjects)) {
      const wrong = answerFaults(row, await site.get(url));
      if (wrong.length > 0) faults[url] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('rejects invalid input', async () => {
    const faults: Record<string, string[]> = {};
    for (const refusal of row.refusals(subjects)) {
      const wrong = refusalFaults(row, refusal, await site.get(refusal.ask.url));
      if (wrong.length > 0) faults[refusal.name] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('equals the GraphQL answer', async () => {
    if (!isCompared(row)) throw new Error(`no twin of ${row.path}`);
    await expectRowParity(site as ContractWorld, row, subjects, new NullRule());
  });
});

describe('the answers', () => {
  it('are not empty for wallets with history', async () => {
    const { wallet, vault } = subjects.addresses;
    const lengths = await Promise.all(
      [
        `/kvaults/users/${wallet}/transactions`,
        `/kvaults/users/${wallet}/metrics/history`,
        `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`,
      ].map(async (url) => ((await site.get(url)).body as readonly unknown[]).length),
    );
    for (const length of lengths) expect(length).toBeGreaterThan(1);
  });
});

type Fields = Readonly<Record<string, string>>;
type PnlRow = Readonly<Record<string, Fields>> & { readonly timestamp: string; readonly type: string };

describe('the relations of the contract', () => {
  const read = async <T>(url: string) => (await site.get(url)).body as T;
  const holders = () => subjects.wallets.slice(0, 5);
  const vaultsOf = async (wallet: string) => {
    const done = await read<readonly Fields[]>(`/kvaults/users/${wallet}/transactions`);
    return [...new Set(done.map(({ kvault }) => kvault ?? ''))];
  };

  it('hold in every transaction', async () => {
    let rows = 0;
    for (const wallet of holders()) {
      const done = await read<readonly Fields[]>(`/kvaults/users/${wallet}/transactions`);
      const times = done.map(({ createdOn = '' }) => createdOn);
      expect(times).toEqual(times.toSorted().reverse());
      for (const each of done) {
        const worth = exact(each.tokenAmount).mul(exact(each.tokenPrice));
        expectNear(exact(each.usdValue), worth, `value of ${each.transaction}`);
        const paid = exact(each.numberOfShares).mul(exact(each.sharePrice));
        expectNear(exact(each.usdValue), paid, `shares of ${each.transaction}`);
        rows += 1;
      }
    }
    expect(rows).toBeGreaterThan(5);
  });

  it('hold in every row of a user’s history, which is the sum over the vaults', async () => {
    let rows = 0;
    for (const wallet of holders()) {
      const all = await read<readonly Fields[]>(`/kvaults/users/${wallet}/metrics/history`);
      const ofVaults = await Promise.all(
        (await vaultsOf(wallet)).map((vault) =>
          read<readonly Fields[]>(`/kvaults/users/${wallet}/vaults/${vault}/metrics/history`),
        ),
      );
      // The interval of a wallet depends on its longest position: compare only buckets that both series have.
      const last = all.at(-1);
      const own = ofVaults.map((points) => points.at(-1)).filter((point) => point !== undefined);
      if (last === undefined) continue;
      const total = (field: string) => sum(own.map((point) => exact(point[field])));
      for (const field of [
        'usdAmount',
        'solAmount',
        'interestEarnedPerSecondUsd',
        'interestEarnedPerSecondSol',
      ]) {
        expectNear(exact(last[field]), total(field), `${field} of ${wallet}`);
      }
      const weighed = sum(own.map((point) => exact(point.apy).mul(exact(point.usdAmount))));
      expectNear(exact(last.weightedApy), ratio(weighed, total('usdAmount')), `APY of ${wallet}`);
      for (const points of ofVaults) {
        for (const point of points) {
          expect(exact(point.usdAmount).isZero).toBe(exact(point.sharesAmount).isZero);
          rows += 1;
        }
      }
    }
    expect(rows).toBeGreaterThan(100);
  });

  it('hold in every row of profit, in each denomination', async () => {
    let [rows, priced] = [0, 0];
    for (const wallet of holders()) {
      for (const vault of await vaultsOf(wallet)) {
        const { history, totalPnl, totalCostBasis } = await read<{
          history: readonly PnlRow[];
          totalPnl: Fields;
          totalCostBasis: Fields;
        }>(`/kvaults/users/${wallet}/vaults/${vault}/pnl/history`);
        expect(history.at(-1)).toMatchObject({
          type: 'mark-to-market',
          timestamp: world.now.toISOString(),
          pnl: totalPnl,
          costBasis: totalCostBasis,
        });
        for (const row of history) {
          const name = `${wallet} in ${vault} at ${row.timestamp}`;
          const n = (field: string, unit: string) => exact(row[field]?.[unit]);
          expect(row.tokenPrice?.usd).toBe('1');
          if (row.type === 'mark-to-market') {
            expect(row.quantity).toEqual(row.position);
            if (row !== history.at(-1)) expect(Date.parse(row.timestamp) % (DAY * 1_000)).toBe(0);
          }
          for (const unit of ['usd', 'sol', 'token']) {
            // REST writes zero where a price was unknown, so values that depend on it cannot be checked.
            if (exact(row.costBasis?.[unit]).isZero && !exact(row.costBasis?.token).isZero) continue;
            expectNear(n('positionValue', unit), exact(row.position).mul(n('sharePrice', unit)), name);
            const gained = n('positionValue', unit).sub(n('costBasis', unit)).add(n('realizedPnl', unit));
            expectNear(n('pnl', unit), gained, name);
            expectNear(n('investment', unit), n('costBasis', unit).sub(n('realizedPnl', unit)), name);
            if (unit !== 'token') priced += 1;
          }
          if (n('tokenPrice', 'token').isZero || n('tokenPrice', 'sol').isZero) continue;
          const usd = n('sharePrice', 'token').mul(n('tokenPrice', 'token'));
          expectNear(n('sharePrice', 'usd'), usd, name);
          expectNear(n('sharePrice', 'sol'), usd.div(n('tokenPrice', 'sol')), name);
          rows += 1;
        }
      }
    }
    expect(rows).toBeGreaterThan(50);
    expect(priced).toBeGreaterThan(0);
  });

  it('hold in every position: the history ends with the current position', async () => {
    for (const wallet of holders()) {
      for (const vault of await vaultsOf(wallet)) {
        const past = await read<readonly Fields[]>(
          `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`,
        );
        const { status, body } = await site.get(`/kvaults/users/${wallet}/positions/${vault}`);
        const now = status === 404 ? '0' : (body as Fields).totalShares;
        expectExact(exact(past.at(-1)?.sharesAmount), exact(now), `${wallet} in ${vault}`);
      }
    }
  });
});
