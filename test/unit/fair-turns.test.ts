import { describe, expect, it } from 'vitest';
import { FairTurns } from '../../src/node/fair-turns.ts';

/** Turns that pass when told, and the order in which work starts. Each piece of work takes `workMs`. */
function manual(workMs: number) {
  const scheduled: (() => void)[] = [];
  let now = 0;
  const turns = new FairTurns({ now: () => now, afterIo: (run) => scheduled.push(run) });
  const started: string[] = [];
  const start = (name: string) => {
    started.push(name);
    now += workMs;
  };
  return {
    started,
    scheduled,
    begin(caller: string, name: string) {
      const turn = turns.next(caller);
      if (turn === null) start(name);
      else void turn.then(() => start(name));
    },
    async passTurn() {
      scheduled.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('fair turns', () => {
  it('let short work start at once, so that its reads share a batch', () => {
    const { started, begin } = manual(0.1);
    for (let i = 1; i <= 50; i += 1) begin('a', `a${i}`);
    expect(started).toHaveLength(50);
  });

  it('start one piece of long work per turn', async () => {
    const { started, begin, passTurn } = manual(30);
    for (const name of ['a1', 'a2', 'a3']) begin('a', name);
    expect(started).toEqual(['a1']);
    await passTurn();
    expect(started).toEqual(['a1', 'a2']);
    await passTurn();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('alternate between callers, whatever one of them has queued', async () => {
    const { started, begin, passTurn } = manual(30);
    for (let i = 1; i <= 100; i += 1) begin('flood', `f${i}`);
    begin('other', 'o1');
    begin('third', 't1');
    begin('other', 'o2');
    for (let i = 0; i < 6; i += 1) await passTurn();
    expect(started).toEqual(['f1', 'f2', 'o1', 't1', 'f3', 'o2', 'f4']);
  });

  it('rest when nobody waits, and start at once again', async () => {
    const { started, scheduled, begin, passTurn } = manual(30);
    begin('a', 'a1');
    await passTurn();
    expect(scheduled).toEqual([]);
    begin('a', 'a2');
    expect(started).toEqual(['a1', 'a2']);
  });
});
