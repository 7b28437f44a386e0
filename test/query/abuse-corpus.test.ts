import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  boundsFor,
  CORPUS_KINDS,
  type CorpusEntry,
  LOOKUP_FLOOR,
  readCorpus,
} from '../../bench/abuse/corpus.ts';
import { filled, type Present } from '../../bench/abuse/placeholders.ts';
import { latestBlockhash, signedBy } from '../../bench/abuse/signed-transactions.ts';
import type { Attack } from '../../bench/abuse/targets.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { viewLookups } from '../support/limits/view-lookups.ts';

const BODY = { 'content-type': 'application/json' };

let acting: ActingApp;
let present: Present;
beforeAll(async () => {
  acting = await startActingApp({
    recorder: true,
    // A recorder looks up accounts by itself.
    env: { REQUEST_TIMEOUT_MS: '120000', RATE_LIMIT: '1000000000', RECORDER: 'none' },
  });
  const blockhash = await latestBlockhash(acting.localnet.rpc.url);
  present = { now: Date.now(), signed: (draw, number) => signedBy(draw, number, blockhash) };
}, 120_000);
afterAll(() => acting?.stop());

function requestOf({ method, target, body, accept }: Attack, isStream: boolean): Request {
  const text = (each: string) => filled(each, present);
  const path = target.replace(/%3C[^&]*?%3E/g, (each) => encodeURIComponent(text(decodeURIComponent(each))));
  return new Request(`http://sluice.test${path}`, {
    method,
    headers: { accept: accept ?? (isStream ? 'text/event-stream' : 'application/json'), ...(body && BODY) },
    body: body === null ? null : text(body),
  });
}

/** Sends it, and reads the whole answer, or the first event of a stream. */
async function statusOf({ request, isStream }: CorpusEntry): Promise<number> {
  const response = await acting.gateway.app.fetch(requestOf(request, isStream));
  if (isStream) {
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  } else await response.arrayBuffer();
  return response.status;
}

async function unitsCharged(): Promise<number> {
  const text = await (await acting.gateway.get('/metrics')).text();
  return [...text.matchAll(/^sluice_spent_cost_total\{[^}]*\} (\S+)/gm)].reduce(
    (total, [, value]) => total + Number(value),
    0,
  );
}

describe.each(CORPUS_KINDS)('the worst requests of the search, %s', (kind) => {
  it('there are some, with bounds that bind', () => {
    expect(readCorpus(kind)).not.toEqual([]);
    for (const { name, leastUnits, mostLookups } of readCorpus(kind)) {
      expect(leastUnits, name).toBeGreaterThanOrEqual(1);
      expect(mostLookups, name).toBeGreaterThanOrEqual(LOOKUP_FLOOR);
    }
  });

  it.each(readCorpus(kind))(
    '$name is charged for its work, and gives way',
    async (entry) => {
      const view = acting.gateway.app.chain.views.newest ?? expect.fail('no View');
      const lookups = viewLookups(view);
      onTestFinished(lookups.restore);
      const before = await unitsCharged();
      expect(await statusOf(entry)).toBe(200);
      const units = (await unitsCharged()) - before;
      const fitting = JSON.stringify(boundsFor(units, lookups.most));
      expect(units, fitting).toBeGreaterThanOrEqual(entry.leastUnits);
      expect(lookups.most, fitting).toBeLessThanOrEqual(entry.mostLookups);
    },
    120_000,
  );
});
