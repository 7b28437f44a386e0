import { execute, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UnchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { EMPTY_CATALOGUE } from '../../src/config/catalogue/empty-catalogue.ts';
import { meterObjects } from '../../src/graphql/cost/meter-objects.ts';
import { executePlanned } from '../../src/graphql/planned-execution.ts';
import { schema } from '../../src/graphql/schema.ts';
import { Warnings } from '../../src/graphql/warnings.ts';
import { Platform } from '../../src/services/platform/platform.ts';
import { type ChainApp, testApp } from '../support/apps/chain-app.ts';
import { CHANGING, comparable, difference } from '../support/execution/compare-answers.ts';
import { objectsWithoutPauses } from '../support/execution/objects-without-pauses.ts';
import { QueryGenerator } from '../support/execution/query-generator.ts';
import { valuesOf } from '../support/execution/query-values.ts';

const QUERIES = Number(process.env.GENERATED_QUERIES ?? 100);
const SEED = Number(process.env.GENERATED_SEED ?? 20261116);
const TIMEOUT_MS = QUERIES * 2_000;
/** The first execution registers the selections, the second shares its objects, the third reuses them. */
const TIMES = 3;

let world: ChainApp<UnchangedChain>;
beforeAll(async () => {
  world = await testApp({ frozen: true });
  meterObjects(schema);
});
afterAll(() => world?.stop());

describe('responses with shared objects', () => {
  it(
    `equal those of graphql-js for ${QUERIES} generated queries`,
    async () => {
      const view = world.app.chain.views.newest;
      if (view === undefined) throw new Error('there is no View');
      const platform = new Platform({ chain: world.app.chain, catalogue: EMPTY_CATALOGUE });
      const context = async () => {
        const session = await platform.openSession({
          view: view.moment.id,
          minSlot: undefined,
          signal: new AbortController().signal,
        });
        return {
          platform,
          session,
          objects: objectsWithoutPauses(),
          warnings: new Warnings(),
          baseUrl: 'http://sluice.test',
        };
      };
      const generator = new QueryGenerator({
        schema,
        seed: SEED,
        pool: valuesOf(view, world.localChain.addresses),
        without: CHANGING,
      });
      let count = 0;
      while (count < QUERIES) {
        const { query, variables } = generator.next();
        if (validate(schema, parse(query)).length > 0) continue;
        const args = { schema, variableValues: { ...variables } };
        const contextValue = await context();
        const reference = comparable(
          await execute({ ...args, document: parse(query), contextValue }),
          contextValue,
        );
        for (let time = 0; time < TIMES; time += 1) {
          const ownContext = await context();
          // Parsed again each time: sharing must not depend on the document object.
          const result = await executePlanned({ ...args, document: parse(query), contextValue: ownContext });
          if (result === null) throw new Error('no plan was made for a valid query');
          expect(difference(reference, comparable(result, ownContext)), query).toBeUndefined();
        }
        count += 1;
      }
    },
    TIMEOUT_MS,
  );
});
