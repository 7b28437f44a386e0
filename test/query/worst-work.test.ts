import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type WorstDocument, worstDocuments } from '../../bench/abuse/worst-documents.ts';
import type { View } from '../../src/chain/view/view.ts';
import { scheduler } from '../../src/node/cooperative-scheduler.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { worstCast } from '../support/limits/worst-cast.ts';

let acting: ActingApp;
let documents: readonly WorstDocument[];
beforeAll(async () => {
  // Work is counted, however long a busy machine takes for it.
  acting = await startActingApp({ env: { REQUEST_TIMEOUT_MS: '120000' } });
  documents = worstDocuments(await worstCast(acting));
}, 120_000);
afterAll(() => acting?.stop());

/** Counts lookups in the newest View, and the most of them between two turns while every turn is over at once. */
function lookups(view: View) {
  const count = { all: 0, inTurn: 0, most: 0 };
  const note = () => {
    count.all += 1;
    count.inTurn += 1;
    count.most = Math.max(count.most, count.inTurn);
  };
  const next = scheduler.next.bind(scheduler);
  const { get, reservesOfMint } = view;
  const spies = [
    vi.spyOn(view, 'get').mockImplementation((...args) => {
      note();
      return get.apply(view, args);
    }),
    vi.spyOn(view, 'reservesOfMint').mockImplementation((mint) => {
      note();
      return reservesOfMint.call(view, mint);
    }),
    vi.spyOn(scheduler, 'isOver', 'get').mockReturnValue(true),
    vi.spyOn(scheduler, 'next').mockImplementation(async (caller) => {
      await next(caller);
      count.inTurn = 0;
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return count;
}

describe('a permitted document', () => {
  const NAMES = worstDocuments({
    market: '' as Address,
    loans: 0,
    mints: [],
    obligation: '' as Address,
    debts: [],
    deposits: [],
    health: 1,
    vault: '' as Address,
  }).map(({ name }) => name);

  it.each(NAMES)(
    'of %s draws what it is worth, and gives way while it prepares',
    async (name) => {
      const document = documents.find((each) => each.name === name) ?? expect.fail(name);
      const view = acting.gateway.app.chain.views.newest ?? expect.fail('no View');
      const counted = lookups(view);
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
