import { afterEach, describe, expect, it, vi } from 'vitest';
import { whenFirstViewServed } from '../../src/app/first-view.ts';
import { type Catalogue, View, type ViewMoment } from '../../src/chain/view/view.ts';
import { ViewStore } from '../../src/chain/view/view-store.ts';

const view = () => new View({ number: 1 } as ViewMoment, {} as Catalogue, new Map());

describe('whenFirstViewServed', () => {
  afterEach(() => vi.useRealTimers());

  it.each(['View', 'handler'])('resolves when both are there, the %s last', async (last) => {
    const views = new ViewStore(1);
    let loaded = (): void => undefined;
    const handlerLoaded = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    const steps = [loaded, () => views.publish(view())];
    const [first, second] = last === 'View' ? steps : steps.reverse();
    let resolved = false;
    const waiting = whenFirstViewServed(views, handlerLoaded, new AbortController().signal).then(() => {
      resolved = true;
    });
    vi.useFakeTimers();
    first?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(resolved).toBe(false);
    second?.();
    await vi.advanceTimersByTimeAsync(1_000);
    await waiting;
    expect(resolved).toBe(true);
  });

  it('resolves at once when the gateway stops, with or without a View', async () => {
    const stopping = new AbortController();
    const views = new ViewStore(1);
    const waiting = whenFirstViewServed(views, Promise.resolve(), stopping.signal);
    stopping.abort();
    await waiting;
    views.publish(view());
    await whenFirstViewServed(views, Promise.resolve(), stopping.signal);
  });
});
