import { describe, expect, it } from 'vitest';
import { whenFirstViewServed } from '../../src/app/first-view.ts';
import { type Catalogue, View, type ViewMoment } from '../../src/chain/view.ts';
import { ViewStore } from '../../src/chain/view-store.ts';

const view = () => new View({ number: 1 } as ViewMoment, {} as Catalogue, new Map());
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('whenFirstViewServed', () => {
  it('resolves when the first View is published', async () => {
    const views = new ViewStore(1);
    let resolved = false;
    const waiting = whenFirstViewServed(views, new AbortController().signal).then(() => {
      resolved = true;
    });
    await turn();
    expect(resolved).toBe(false);
    views.publish(view());
    await waiting;
    expect(resolved).toBe(true);
  });

  it('resolves at once when the gateway stops, with or without a View', async () => {
    const stopping = new AbortController();
    const views = new ViewStore(1);
    const waiting = whenFirstViewServed(views, stopping.signal);
    stopping.abort();
    await waiting;
    views.publish(view());
    await whenFirstViewServed(views, stopping.signal);
  });
});
