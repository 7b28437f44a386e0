import { integer } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type Catalogue, View } from '../../src/chain/view/view.ts';
import { ViewStore } from '../../src/chain/view/view-store.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';

const idOf = (number: number) => `3f9c2a71-${number}`;
const view = (number: number, slot: bigint, slotWhole = slot) =>
  new View(
    {
      id: idOf(number),
      number,
      slot,
      timestamp: slot,
      slotDurationMs: integer(400),
      builtAtMs: 0,
      slotMin: slot,
      slotMax: slot,
      slotWhole,
      torn: false,
    },
    {} as Catalogue,
    new Map(),
  );
const neverAborted = () => new AbortController().signal;

describe('Views by id', () => {
  it('throw VIEW_NOT_READY before the first', () => {
    expect(() => new ViewStore(2).current()).toThrow(expect.objectContaining({ code: 'VIEW_NOT_READY' }));
    expect(() => new ViewStore(2).named(idOf(1))).toThrow(
      expect.objectContaining({ code: 'VIEW_NOT_READY' }),
    );
  });

  it('of slots that were a lie are gone, and the honest one before them is served', () => {
    const store = new ViewStore(5);
    const honest = view(1, 10n);
    for (const each of [honest, view(2, 1_000_010n), view(3, 1_000_011n)]) store.publish(each);
    store.discardAfter(12n);
    expect(store.current()).toBe(honest);
    expect(() => store.named(idOf(2))).toThrow(expect.objectContaining({ code: 'VIEW_GONE' }));
    expect(store.find(idOf(3))).toBeUndefined();
    store.publish(view(4, 13n));
    expect(store.current().moment.number).toBe(4);
  });

  it('are found while retained, and throw VIEW_GONE afterwards', () => {
    const store = new ViewStore(2);
    const views = [view(1, 10n), view(2, 11n), view(3, 12n)];
    for (const each of views) store.publish(each);
    expect(store.current()).toBe(views[2]);
    expect(store.named(idOf(2))).toBe(views[1]);
    const gone = expect.objectContaining({
      code: 'VIEW_GONE',
      context: { view: '3f9c2a71-1', newest: '3f9c2a71-3' },
    });
    expect(() => store.named(idOf(1))).toThrow(gone);
    for (const id of [idOf(4), '0b11d0c5-2', '2', '', 'latest']) {
      expect(() => store.named(id)).toThrow(expect.objectContaining({ code: 'VIEW_GONE' }));
    }
  });
});

describe('a View that reaches a slot', () => {
  it('is the current one if it has reached the slot, otherwise the first that does', async () => {
    const store = new ViewStore(2);
    store.publish(view(1, 10n));
    expect((await store.reaching(10n, 'slot', neverAborted())).moment.number).toBe(1);
    const reached = store.reaching(12n, 'slot', neverAborted());
    store.publish(view(2, 11n));
    store.publish(view(3, 12n));
    store.publish(view(4, 13n));
    expect((await reached).moment.number).toBe(3);
  });

  it('can be required to have all its accounts at that slot', async () => {
    const store = new ViewStore(2);
    const reached = store.reaching(12n, 'slotWhole', neverAborted());
    store.publish(view(1, 12n, 9n));
    store.publish(view(2, 13n, 12n));
    expect((await reached).moment.number).toBe(2);
  });

  it('is not awaited after the deadline or after the client has disconnected', async () => {
    const store = new ViewStore(2);
    store.publish(view(1, 10n));
    const deadline = new AbortController();
    const late = failureOf(store.reaching(12n, 'slot', deadline.signal));
    deadline.abort(new SluiceError('DEADLINE_EXCEEDED', { what: 'The request' }));
    expect(await late).toMatchObject({
      code: 'MIN_SLOT_NOT_REACHED',
      context: { minSlot: '12', slot: '10' },
    });
    expect(await failureOf(store.reaching(12n, 'slot', AbortSignal.abort()))).toMatchObject({
      code: 'REQUEST_CANCELLED',
    });
  });
});
