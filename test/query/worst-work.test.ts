import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type WorstDocument, worstDocuments } from '../../bench/abuse/worst-documents.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { viewLookups } from '../support/limits/view-lookups.ts';
import { WORST_NAMES, worstCast } from '../support/limits/worst-cast.ts';

let acting: ActingApp;
let documents: readonly WorstDocument[];
beforeAll(async () => {
  // Work is counted, however long a busy machine takes for it.
  acting = await startActingApp({ env: { REQUEST_TIMEOUT_MS: '120000' } });
  documents = worstDocuments(await worstCast(acting));
}, 120_000);
afterAll(() => acting?.stop());

describe('a permitted document', () => {
  it.each(WORST_NAMES)(
    'of %s draws what it is worth, and gives way while it prepares',
    async (name) => {
      const document = documents.find((each) => each.name === name) ?? expect.fail(name);
      const view = acting.gateway.app.chain.views.newest ?? expect.fail('no View');
      const counted = viewLookups(view);
      onTestFinished(counted.restore);
      const { errors, extensions } = await acting.gateway.query(document.query, {
        variables: document.variables,
      });
      expect(errors).toEqual([]);
      const { work } = (extensions as unknown as { cost: { work: number } }).cost;
      expect(work).toBeGreaterThanOrEqual(document.leastWork);
      expect(work).toBeLessThanOrEqual(document.mostWork);
      expect(counted.all).toBeGreaterThan(0);
      expect(counted.most).toBeLessThanOrEqual(document.mostLookups);
    },
    120_000,
  );
});
