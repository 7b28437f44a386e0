import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CORPUS_KINDS, type CorpusEntry, readCorpus } from '../../bench/abuse/corpus.ts';
import { filled, type Present } from '../../bench/abuse/placeholders.ts';
import { latestBlockhash, signedBy } from '../../bench/abuse/signed-transactions.ts';
import type { Attack } from '../../bench/abuse/targets.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { viewLookups } from '../support/limits/view-lookups.ts';

/** How much more or less may be counted before a bound must be reviewed. */
const SHARE = 1.5;
/** Bounds hangs only. */
const SETTLE_MS = 100_000;
const BODY = { 'content-type': 'application/json' };

let acting: ActingApp;
let present: Present;
beforeAll(async () => {
  acting = await startActingApp({
    recorder: true,
    env: { REQUEST_TIMEOUT_MS: '120000', RATE_LIMIT: '1000000000' },
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

interface Counted {
  readonly units: number;
  readonly rpcCalls: number;
}

/** Once the transactions that earlier requests wait for are read. */
async function settledCounters(): Promise<Counted> {
  return await vi.waitFor(
    async () => {
      const { ingesting, ...counted } = await counters();
      expect(ingesting).toBe(0);
      return counted;
    },
    { timeout: SETTLE_MS, interval: 50 },
  );
}

async function counters(): Promise<Counted & { readonly ingesting: number }> {
  const text = await (await acting.gateway.get('/metrics')).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return {
    units: sum('sluice_spent_cost_total'),
    rpcCalls: sum('sluice_rpc_calls_total'),
    ingesting: sum('sluice_ingest_addresses'),
  };
}

describe.each(CORPUS_KINDS)('the worst requests of the search, %s', (kind) => {
  it('there are some', () => expect(readCorpus(kind)).not.toEqual([]));

  it.each(readCorpus(kind))(
    '$name is charged for its work, reads no more than before, and gives way',
    async (entry) => {
      const view = acting.gateway.app.chain.views.newest ?? expect.fail('no View');
      const lookups = viewLookups(view);
      onTestFinished(lookups.restore);
      const before = await settledCounters();
      expect(await statusOf(entry)).toBe(200);
      const after = await settledCounters();
      const counted = {
        units: after.units - before.units,
        rpcCalls: after.rpcCalls - before.rpcCalls,
        lookups: lookups.most,
      };
      const wanted = {
        leastUnits: Math.floor(counted.units / SHARE),
        mostRpcCalls: Math.ceil(counted.rpcCalls * SHARE),
        mostLookups: Math.ceil(counted.lookups * SHARE),
      };
      const text = `counted ${JSON.stringify(counted)}; fitting bounds: ${JSON.stringify(wanted)}`;
      expect(counted.units, text).toBeGreaterThanOrEqual(entry.leastUnits);
      expect(counted.rpcCalls, text).toBeLessThanOrEqual(entry.mostRpcCalls ?? counted.rpcCalls);
      expect(counted.lookups, text).toBeLessThanOrEqual(entry.mostLookups);
    },
    120_000,
  );
});
