import { vi } from 'vitest';
import type { View } from '../../../src/chain/view/view.ts';
import { scheduler } from '../../../src/node/cooperative-scheduler.ts';

export interface ViewLookups {
  readonly all: number;
  /** The most of them between two turns. */
  readonly most: number;
  restore(): void;
}

/** Counts lookups in a View while every turn is over at once. */
export function viewLookups(view: View): ViewLookups {
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
  return Object.assign(count, {
    restore() {
      for (const spy of spies) spy.mockRestore();
    },
  });
}
