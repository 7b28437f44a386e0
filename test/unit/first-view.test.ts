import { describe, expect, it } from 'vitest';
import { firstViewServed } from '../../src/app/first-view.ts';
import { type Catalogue, View, type ViewMoment } from '../../src/chain/view.ts';
import { ViewStore } from '../../src/chain/view-store.ts';

const view = () => new View({ number: 1 } as ViewMoment, {} as Catalogue, new Map());
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what waits for the chain', () => {
  it('begins when there is a View', async () => {
    const views = new ViewStore(1);
    let begun = false;
    const waiting = firstViewServed(views, new AbortController().signal).then(() => {
      begun = true;
    });
    await turn();
    expect(begun).toBe(false);
    views.publish(view());
    await waiting;
    expect(begun).toBe(true);
  });

  it('is let go at once when the gateway stops, whether or not there is a View', async () => {
    const stopping = new AbortController();
    const views = new ViewStore(1);
    const waiting = firstViewServed(views, stopping.signal);
    stopping.abort();
    await waiting;
    views.publish(view());
    await firstViewServed(views, stopping.signal);
  });
});
