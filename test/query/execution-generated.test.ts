import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { alertRegistry } from '../../src/app/alerts.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import { loadConfig } from '../../src/config/config.ts';
import { meterObjects } from '../../src/graphql/cost/meter-objects.ts';
import { schema } from '../../src/graphql/schema.ts';
import { Warnings } from '../../src/graphql/warnings.ts';
import { Platform } from '../../src/services/platform/platform.ts';
import { type ChainApp, testApp } from '../support/apps/chain-app.ts';
import { CHANGING, difference } from '../support/execution/compare-answers.ts';
import { objectsWithoutPauses } from '../support/execution/objects-without-pauses.ts';
import { QueryGenerator } from '../support/execution/query-generator.ts';
import { valuesOf } from '../support/execution/query-values.ts';
import { bothAnswers, type QueryContext } from '../support/execution/two-executors.ts';

/** The long suite sets a higher number. */
const QUERIES = Number(process.env.GENERATED_QUERIES ?? 200);
const SEED = Number(process.env.GENERATED_SEED ?? 20261115);
/** Generous: the machine may be busy. */
const TIMEOUT_MS = QUERIES * 1_000;

let world: ChainApp<UnchangedChain>;
beforeAll(async () => {
  world = await testApp({ frozen: true });
  meterObjects(schema);
});
afterAll(() => world?.stop());

describe('the planned executor', () => {
  it(
    `answers ${QUERIES} generated queries as graphql-js does`,
    async () => {
      const view = world.app.chain.views.newest;
      if (view === undefined) throw new Error('there is no View');
      const platform = new Platform({ chain: world.app.chain, catalogue: EMPTY_CATALOGUE });
      const context = async (): Promise<QueryContext> => ({
        platform,
        alerts: alertRegistry(loadConfig({}), null),
        session: await platform.openSession({
          view: view.moment.id,
          minSlot: undefined,
          signal: new AbortController().signal,
        }),
        objects: objectsWithoutPauses(),
        warnings: new Warnings(),
        baseUrl: 'http://sluice.test',
      });
      const generator = new QueryGenerator({
        schema,
        seed: SEED,
        pool: valuesOf(view, world.localChain.addresses),
        without: CHANGING,
      });
      const total = { compared: 0, invalid: 0, errors: 0, nulledParents: 0, nodes: 0 };
      while (total.compared < QUERIES) {
        const { query, variables } = generator.next();
        const document = parse(query);
        if (validate(schema, document).length > 0) {
          total.invalid += 1;
          continue;
        }
        const { reference, planned } = await bothAnswers({ schema, document, variables, context });
        expect(difference(reference, planned), `${query}\n${JSON.stringify(variables)}`).toBeUndefined();
        total.compared += 1;
        total.errors += reference.errors.length;
        total.nulledParents += reference.nulledParents.length;
        total.nodes += reference.nodes;
      }
      // The queries are representative: few are invalid, many return objects, many have errors.
      expect(total.invalid).toBeLessThan(QUERIES / 3);
      expect(total.errors).toBeGreaterThan(QUERIES / 10);
      expect(total.nulledParents).toBeGreaterThan(QUERIES / 50);
      expect(total.nodes).toBeGreaterThan(QUERIES);
    },
    TIMEOUT_MS,
  );
});
