import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import type { ContractWorld } from '../support/contract/contract-app.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';
import { expectParity, PARITY_ROWS } from '../support/parity/compare.ts';
import { NullRule } from '../support/parity/parity-row.ts';

/** A picture of the vault that the metadata describe: the graph names it and does not draw it. */
const WITHOUT_TWIN = ['/kvaults/mints/{pubkey}/metadata/image.svg'];

const SCHEMA = new URL('../../schema.graphql', import.meta.url);

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

describe('both APIs', () => {
  it('are compared on every read', () => {
    const reads = OPERATIONS.filter(({ tag }) => tag !== 'Builders').map(({ path }) => path);
    expect([...PARITY_ROWS.map(({ path }) => path), ...WITHOUT_TWIN].sort()).toEqual(reads.sort());
  });

  it.each(OPERATIONS)('$path documents an equivalent query that fits the schema', ({ graph }) => {
    const words = new Set(readFileSync(SCHEMA, 'utf8').match(/\w+/g));
    const asked = graph.match(/\w+/g) ?? [];
    expect(asked.filter((word) => !['on', 'query', 'mutation'].includes(word) && !words.has(word))).toEqual(
      [],
    );
  });

  it.each(PARITY_ROWS)('$path equals the GraphQL answer for the same View', async (row) => {
    const rule = new NullRule();
    const cases = row.cases(world.subjects);
    expect(cases.length).toBeGreaterThan(0);
    for (const each of cases) await expectParity(world, row, each, rule);
  });

  it('do not differ where every price is known', async () => {
    const rule = new NullRule();
    for (const path of ['/kvaults/vaults/{pubkey}/metrics', '/svc-market/{pubkey}/reserves/metrics']) {
      const row = PARITY_ROWS.find((each) => each.path === path);
      if (row === undefined) throw new Error(`no row for ${path}`);
      for (const each of row.cases(world.subjects)) await expectParity(world, row, each, rule);
    }
    // A vault without shares has no realised yield in any of the six windows.
    const vaults = (await world.get('/kvaults/vaults')).body as readonly {
      state: { sharesIssued: string };
    }[];
    const empty = vaults.filter(({ state }) => state.sharesIssued === '0');
    expect(rule.applied).toBe(6 * empty.length);
  });
});
