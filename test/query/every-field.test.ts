import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Cast, castOf } from '../../bench/abuse/cast.ts';
import { View } from '../../src/chain/view/view.ts';
import { WorkBudget, type WorkKind } from '../../src/node/work-budget.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { CHEAP_FIELDS, COSTLY_FIELDS, selecting, without } from '../support/limits/field-documents.ts';

let acting: ActingApp;
let cast: Cast;
/** Drawn for callers, by kind, and lookups in Views. */
const drawn = { objects: 0, steps: 0, accounts: 0, rows: 0, calls: 0 } satisfies Record<WorkKind, number>;
let lookups = 0;

beforeAll(async () => {
  acting = await startActingApp({ recorder: true });
  cast = castOf(acting.localnet.chain.world);
  const { record } = WorkBudget.prototype;
  vi.spyOn(WorkBudget.prototype, 'record').mockImplementation(function (this: WorkBudget, kind, amount) {
    // Work of the gateway itself has no caller.
    if (this.caller !== '') drawn[kind] += amount;
    record.call(this, kind, amount);
  });
  const { get, find } = View.prototype;
  vi.spyOn(View.prototype, 'get').mockImplementation(function (this: View, kind, address) {
    lookups += 1;
    return get.call(this, kind, address) as never;
  });
  vi.spyOn(View.prototype, 'find').mockImplementation(function (this: View, kind, address) {
    lookups += 1;
    return find.call(this, kind, address) as never;
  });
}, 300_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await acting?.stop();
});

async function run(document: string) {
  const [before, earlier] = [{ ...drawn }, lookups];
  if (document.startsWith('subscription')) await firstEvent(document);
  else await acting.gateway.query(document);
  return {
    objects: drawn.objects - before.objects,
    own: drawn.steps + drawn.rows + drawn.calls - before.steps - before.rows - before.calls,
    lookups: lookups - earlier,
  };
}

async function firstEvent(query: string): Promise<void> {
  const response = await acting.gateway.app.fetch(
    new Request('http://sluice.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    }),
  );
  const reader = response.body?.getReader();
  for (let text = ''; reader && !text.includes('data:'); ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
}

const ATTEMPTS = 12;
const SIZES = { page: 20, list: 20, points: 20 };

describe('explore', () => {
  it('costly', async () => {
    for (const field of COSTLY_FIELDS) {
      const tries: number[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const document = selecting(field, cast, { path: attempt, draw: attempt, page: 5, points: 20 });
        const { own } = await run(document);
        const base = await run(without(document));
        tries.push(own - base.own);
        if (own > base.own) break;
        if (attempt === ATTEMPTS - 1) {
          const { text } = await acting.gateway.query(selecting(field, cast, { path: 0, draw: 0, page: 5, points: 20 }));
          console.log('TEXT', field.name, text.slice(0, 400));
        }
      }
      console.log('COSTLY', field.name, tries.join(' '));
    }
  }, 3_000_000);
  it('cheap', async () => {
    for (const field of CHEAP_FIELDS) {
      let [l, u, tries] = [0, 0, 0];
      for (; tries < ATTEMPTS && u <= 0; tries += 1) {
        const knobs = { ...SIZES, path: tries, draw: tries };
        const few = await run(selecting(field, cast, { ...knobs, fieldCopies: 2 }));
        const many = await run(selecting(field, cast, { ...knobs, fieldCopies: 22 }));
        l = many.lookups - few.lookups;
        u = many.objects + many.own - few.objects - few.own;
      }
      console.log('CHEAP', field.name, l, u, (l / Math.max(1, u)).toFixed(1), tries);
    }
  }, 3_000_000);
});
