import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type WorstDocument, worstDocuments } from '../../bench/abuse/worst-documents.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { EventStream } from '../support/http/event-stream.ts';
import { WORST_NAMES, worstCast } from '../support/limits/worst-cast.ts';

const WORK_PER_UNIT = 100;

let acting: ActingApp;
let documents: readonly WorstDocument[];
/** Drawn for callers. */
let drawn = 0;

beforeAll(async () => {
  acting = await startActingApp({ env: { RATE_LIMIT: '1000000' } });
  documents = worstDocuments(await worstCast(acting));
  const { record } = WorkBudget.prototype;
  vi.spyOn(WorkBudget.prototype, 'record').mockImplementation(function (this: WorkBudget, kind, amount) {
    const { units } = this;
    record.call(this, kind, amount);
    // Work of the gateway itself has no caller.
    if (this.caller !== '') drawn += this.units - units;
  });
}, 120_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await acting?.stop();
});

async function spent(): Promise<number> {
  const text = await (await acting.gateway.get('/metrics')).text();
  return Number(/^sluice_spent_cost_total\{payer="address"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function openStream({ subscription, variables }: WorstDocument) {
  const stream = await EventStream.openInProcess(acting.gateway.app, subscription, { variables });
  onTestFinished(() => stream.close());
  return async (reason: string): Promise<void> => {
    expect((await stream.nextData()).errors, reason).toBeUndefined();
  };
}

/** A View of the next slot. */
async function advance(): Promise<void> {
  await acting.newWallet({});
  const slot = String(await acting.rpc.getSlot().send());
  await acting.gateway.query('{ chain { slot } }', { headers: { 'x-min-slot': slot } });
}

describe('a stream', () => {
  it.each(WORST_NAMES)(
    'of %s pays for all that its events draw',
    async (name) => {
      const document = documents.find((each) => each.name === name) ?? expect.fail(name);
      const [drawnBefore, spentBefore] = [drawn, await spent()];
      const isPaid = async () => (await spent()) - spentBefore >= (drawn - drawnBefore) / WORK_PER_UNIT;
      const next = await openStream(document);
      await next('the snapshot');
      expect(drawn - drawnBefore).toBeGreaterThanOrEqual(document.leastWork);
      await vi.waitUntil(isPaid, { timeout: 100_000 });
      const drawnBySnapshot = drawn - drawnBefore;
      await advance();
      await next('the event');
      expect(drawn - drawnBefore).toBeGreaterThanOrEqual(drawnBySnapshot + document.leastWork);
      await vi.waitUntil(isPaid, { timeout: 100_000 });
    },
    120_000,
  );
});
