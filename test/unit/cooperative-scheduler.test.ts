import { describe, expect, it } from 'vitest';
import { CooperativeScheduler } from '../../src/node/cooperative-scheduler.ts';
import { WorkBudget } from '../../src/node/work-budget.ts';

/** CooperativeScheduler whose time and event loop the test advances. */
function manualScheduler() {
  const loop: (() => void)[] = [];
  const state = { now: 0 };
  const scheduler = new CooperativeScheduler({ now: () => state.now, afterIo: (run) => void loop.push(run) });
  return {
    scheduler,
    advance(ms: number) {
      state.now += ms;
    },
    /** Handles what waits for the next turn of the event loop; returns how many callbacks that were. */
    async turn(): Promise<number> {
      const due = loop.splice(0);
      for (const run of due) run();
      for (let i = 0; i < 10; i += 1) await Promise.resolve();
      return due.length;
    },
  };
}

const requestOf = ({ signal }: AbortController) => ({ signal, caller: 'net:203.0.113.9' });

describe('the turns of long computations', () => {
  it('end after 10 ms, whatever a step takes', async () => {
    const { scheduler, advance, turn } = manualScheduler();
    expect(scheduler.pause()).toBeNull();
    advance(9.9);
    expect([scheduler.isOver, scheduler.pause()]).toEqual([false, null]);
    advance(0.1);
    expect([scheduler.isOver, scheduler.pause()]).toEqual([true, expect.any(Promise)]);
    await turn();
    expect(scheduler.isOver).toBe(false);
  });

  it('begin with the first computation, however long nothing was computed', async () => {
    const { scheduler, advance, turn } = manualScheduler();
    for (let i = 0; i < 3; i += 1) {
      advance(1_000);
      expect(scheduler.pause()).toBeNull();
      expect(await turn()).toBe(1);
      expect(await turn()).toBe(0);
    }
  });

  it('are taken one at a time, in order, however many computations wait', async () => {
    const { scheduler, turn } = manualScheduler();
    const resumed: string[] = [];
    for (const name of ['a', 'b', 'c']) void scheduler.next().then(() => resumed.push(name));
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c']]) {
      expect(await turn()).toBe(1);
      expect(resumed).toEqual(expected);
    }
    expect(await turn()).toBe(0);
  });

  it('alternate between callers, however many computations one of them has', async () => {
    const { scheduler, turn } = manualScheduler();
    const resumed: string[] = [];
    for (const name of ['many1', 'many2', 'many3', 'few1'])
      void scheduler.next(name.slice(0, 3)).then(() => resumed.push(name));
    while ((await turn()) > 0);
    expect(resumed).toEqual(['many1', 'few1', 'many2', 'many3']);
  });

  it('never let computations run longer than 10 ms plus one step between two turns', async () => {
    const { scheduler, advance, turn } = manualScheduler();
    const STEP_MS = 3;
    let [stretch, longest, steps] = [0, 0, 0];
    function* computation(): Generator<void, void> {
      for (let i = 0; i < 40; i += 1) {
        yield;
        advance(STEP_MS);
        steps += 1;
        stretch += STEP_MS;
        longest = Math.max(longest, stretch);
      }
    }
    const meter = new WorkBudget({ ...requestOf(new AbortController()), scheduler });
    const all = Promise.all([1, 2, 3, 4, 5].map(() => meter.run(computation())));
    do stretch = 0;
    while ((await turn()) > 0);
    await all;
    expect(steps).toBe(5 * 40);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(10 + STEP_MS);
  });
});

describe('the starts of work', () => {
  /** Asks to start work of so many milliseconds; the list has what has started. */
  function starting(workMs: number) {
    const manual = manualScheduler();
    const started: string[] = [];
    const start = (name: string) => {
      started.push(name);
      manual.advance(workMs);
    };
    return {
      ...manual,
      started,
      begin(caller: string, name: string) {
        const turn = manual.scheduler.enter(caller);
        if (turn === null) start(name);
        else void turn.then(() => start(name));
      },
    };
  }

  it('are at once while they are short, so that their reads share a batch', () => {
    const { started, begin } = starting(0.1);
    for (let i = 1; i <= 50; i += 1) begin('a', `a${i}`);
    expect(started).toHaveLength(50);
  });

  it('are one per turn while they are long', async () => {
    const { started, begin, turn } = starting(30);
    for (const name of ['a1', 'a2', 'a3']) begin('a', name);
    expect(started).toEqual(['a1']);
    await turn();
    expect(started).toEqual(['a1', 'a2']);
    await turn();
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('alternate between callers, whatever one of them has queued', async () => {
    const { started, begin, turn } = starting(30);
    for (let i = 1; i <= 100; i += 1) begin('flood', `f${i}`);
    begin('other', 'o1');
    begin('third', 't1');
    begin('other', 'o2');
    for (let i = 0; i < 6; i += 1) await turn();
    expect(started).toEqual(['f1', 'f2', 'o1', 't1', 'f3', 'o2', 'f4']);
  });

  it('do not overtake those that wait, even if the turn has time left', async () => {
    const { scheduler, turn } = manualScheduler();
    for (const caller of ['a', 'b']) void scheduler.next(caller);
    await turn();
    expect([scheduler.isOver, scheduler.enter('c')]).toEqual([false, expect.any(Promise)]);
    for (let i = 0; i < 3; i += 1) await turn();
    expect(scheduler.enter('c')).toBeNull();
  });

  it('are at once again when nobody waits', async () => {
    const { started, begin, turn } = starting(30);
    begin('a', 'a1');
    expect(await turn()).toBe(1);
    expect(await turn()).toBe(0);
    begin('a', 'a2');
    expect(started).toEqual(['a1', 'a2']);
  });
});

describe('the meter of a request', () => {
  const NEVER_OVER = { isOver: false, next: () => Promise.resolve() };

  /** Counts its steps, and calls back after each. */
  function* counting(done: { steps: number }, after: () => void): Generator<void, number> {
    for (let i = 0; i < 1_000; i += 1) {
      yield;
      done.steps += 1;
      after();
    }
    return done.steps;
  }

  it('runs a computation to its end and counts its steps', async () => {
    const meter = new WorkBudget({ scheduler: NEVER_OVER });
    expect(await meter.run(counting({ steps: 0 }, () => undefined))).toBe(1_000);
    expect(meter.drawn('steps')).toBe(1_000);
    meter.step(7);
    expect(meter.drawn('steps')).toBe(1_007);
  });

  it('makes no step after the request was aborted', async () => {
    const controller = new AbortController();
    const done = { steps: 0 };
    const reason = new Error('too late');
    const run = new WorkBudget({ ...requestOf(controller), scheduler: NEVER_OVER }).run(
      counting(done, () => {
        if (done.steps === 10) controller.abort(reason);
      }),
    );
    await expect(run).rejects.toBe(reason);
    expect(done.steps).toBe(10);
  });

  it('makes no step after a pause during which the request was aborted', async () => {
    const { scheduler, advance, turn } = manualScheduler();
    const controller = new AbortController();
    const done = { steps: 0 };
    const run = new WorkBudget({ ...requestOf(controller), scheduler }).run(counting(done, () => advance(5)));
    const outcome = expect(run).rejects.toThrow('gone');
    controller.abort(new Error('gone'));
    await turn();
    await outcome;
    expect(done.steps).toBe(2);
  });

  it('makes no step that the account does not cover', async () => {
    const meter = new WorkBudget({ ceiling: 3, scheduler: NEVER_OVER });
    const done = { steps: 0 };
    const run = meter.run(counting(done, () => undefined));
    await expect(run).rejects.toMatchObject({ code: 'NODE_BUDGET_EXCEEDED' });
    expect(done.steps).toBe(3);
  });
});
