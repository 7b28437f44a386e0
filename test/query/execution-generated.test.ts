import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { Platform } from '../../src/services/platform.ts';
import { EMPTY_CATALOGUE } from '../../src/store/catalogue/empty-catalogue.ts';
import { CHANGING, type StillApp, startStillApp } from '../support/apps/frozen-app.ts';
import { difference } from '../support/execution/compare-answers.ts';
import { QueryGenerator } from '../support/execution/query-generator.ts';
import { valuesOf } from '../support/execution/query-values.ts';
import { bothAnswers, freshBudget, type QueryContext } from '../support/execution/two-executors.ts';

/** The long suite asks more. */
const QUERIES = Number(process.env.GENERATED_QUERIES ?? 200);
const SEED = Number(process.env.GENERATED_SEED ?? 20261115);
/** A second for each on a machine that has much else to do. */
const TIMEOUT_MS = QUERIES * 1_000;

let world: StillApp;
beforeAll(async () => {
  world = await startStillApp();
});
afterAll(() => world?.stop());

describe('execution by plans', () => {
  it(
    `answers ${QUERIES} generated queries as graphql-js does`,
    async () => {
      const view = world.gateway.app.chain.views.newest;
      if (view === undefined) throw new Error('there is no View');
      const platform = new Platform(world.gateway.app.chain, EMPTY_CATALOGUE);
      const context = async (): Promise<QueryContext> => ({
        platform,
        session: await platform.openSession({
          view: view.moment.number,
          minSlot: undefined,
          signal: new AbortController().signal,
        }),
        budget: freshBudget(),
        baseUrl: 'http://sluice.test',
      });
      const generator = new QueryGenerator({
        schema,
        seed: SEED,
        pool: valuesOf(view, world.ledger.addresses),
        without: CHANGING,
      });
      const totals = { asked: 0, invalid: 0, errors: 0, passedUp: 0, nodes: 0 };
      while (totals.asked < QUERIES) {
        const { query, variables } = generator.next();
        const document = parse(query);
        if (validate(schema, document).length > 0) {
          totals.invalid += 1;
          continue;
        }
        const { plain, planned } = await bothAnswers({ schema, document, variables, context });
        expect(difference(plain, planned), `${query}\n${JSON.stringify(variables)}`).toBeUndefined();
        totals.asked += 1;
        totals.errors += plain.errors.length;
        totals.passedUp += plain.above.length;
        totals.nodes += plain.nodes;
      }
      // The queries are worth asking: few are invalid, many answer, many fail somewhere.
      expect(totals.invalid).toBeLessThan(QUERIES / 3);
      expect(totals.errors).toBeGreaterThan(QUERIES / 10);
      expect(totals.passedUp).toBeGreaterThan(QUERIES / 50);
      expect(totals.nodes).toBeGreaterThan(QUERIES);
    },
    TIMEOUT_MS,
  );
});
