import { address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { HOUR as HOUR_STEP } from '../../src/store/history/steps.ts';
import { writeHistory } from '../../src/store/history/write-snapshot.ts';
import { answerFaults, refusalFaults } from '../support/contract-answers.ts';
import { type Subjects, subjectsOf } from '../support/contract-rows/contract-row.ts';
import { EARN_POSITION_ROWS } from '../support/contract-rows/earn-positions.ts';
import type { ContractWorld } from '../support/contract-world.ts';
import { expectParity } from '../support/parity/compare.ts';
import { EARN_POSITION_PARITY } from '../support/parity/earn-positions.ts';
import { NullRule } from '../support/parity/parity-row.ts';
import { DAY, HOUR, type PositionWorld, startPositionWorld } from '../support/position-world.ts';

let world: PositionWorld;
let subjects: Subjects;
/** The same world as the suites of the contract take it. */
let site: Pick<ContractWorld, 'get' | 'gateway'>;

beforeAll(async () => {
  world = await startPositionWorld();
  subjects = subjectsOf(world.ledger);
  const read = async (url: string) => {
    const { body, ...rest } = await world.get(url);
    return { ...rest, body, text: JSON.stringify(body) };
  };
  const query = (document: string, { variables }: { variables?: Readonly<Record<string, unknown>> } = {}) =>
    world.query(document, variables);
  site = { get: read, gateway: { query } as unknown as ContractWorld['gateway'] };
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
}, 180_000);
afterAll(() => world?.stop());

describe.each(EARN_POSITION_ROWS)('$method $path', (row) => {
  it('answers in the documented shape, of wallets with a past', async () => {
    const faults: Record<string, string[]> = {};
    for (const { url } of row.asks(subjects)) {
      const wrong = answerFaults(row, await site.get(url));
      if (wrong.length > 0) faults[url] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('refuses what it must', async () => {
    const faults: Record<string, string[]> = {};
    for (const refusal of row.refusals(subjects)) {
      const wrong = refusalFaults(row, refusal, await site.get(refusal.ask.url));
      if (wrong.length > 0) faults[refusal.name] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('says the same as the graph', async () => {
    const twin = EARN_POSITION_PARITY.find(({ path }) => path === row.path);
    if (twin === undefined) throw new Error(`no twin of ${row.path}`);
    for (const each of twin.cases(subjects)) {
      await expectParity(site as ContractWorld, twin, each, new NullRule());
    }
  });
});

describe('the answers', () => {
  it('are not empty where there is a past', async () => {
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
