import { describe, expect, it } from 'vitest';
import { FairTurns } from '../../src/node/fair-turns.ts';

/** Turns that pass when told, and the order in which work starts. */
function manual() {
  const scheduled: (() => void)[] = [];
  const turns = new FairTurns((run) => scheduled.push(run));
  const started: string[] = [];
  return {
    started,
    scheduled,
    begin(caller: string, name: string) {
      const turn = turns.next(caller);
      if (turn === null) started.push(name);
      else void turn.then(() => started.push(name));
    },
    async passTurn() {
      scheduled.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('fair turns', () => {
  it('lets the first piece of a turn start at once, and one more in every later turn', async () => {
    const { started, begin, passTurn } = manual();
    for (const name of ['a1', 'a2', 'a3']) begin('a', name);
    expect(started).toEqual(['a1']);
    await passTurn();
    expect(started).toEqual(['a1', 'a2']);
    await passTurn();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('alternates between callers, whatever one of them has queued', async () => {
    const { started, begin, passTurn } = manual();
    for (let i = 1; i <= 100; i += 1) begin('flood', `f${i}`);
    begin('other', 'o1');
    begin('third', 't1');
    begin('other', 'o2');
    for (let i = 0; i < 6; i += 1) await passTurn();
    expect(started).toEqual(['f1', 'f2', 'o1', 't1', 'f3', 'o2', 'f4']);
  });

  it('rests when nobody waits, and starts at once again', async () => {
    const { started, scheduled, begin, passTurn } = manual();
    begin('a', 'a1');
    await passTurn();
    expect(scheduled).toEqual([]);
    begin('a', 'a2');
    expect(started).toEqual(['a1', 'a2']);
  });
});
