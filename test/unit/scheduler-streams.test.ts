import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CooperativeScheduler } from '../../src/node/cooperative-scheduler.ts';

/** A scheduler on an event loop that the test runs. */
function manualScheduler() {
  const scheduled: (() => void)[] = [];
  const scheduler = new CooperativeScheduler({ now: () => 0, afterIo: (run) => void scheduled.push(run) });
  const log: string[] = [];
  return {
    scheduler,
    log,
    wait: (lane: string, name: string) => void scheduler.next(lane).then(() => log.push(name)),
    async run(count = 1) {
      for (let i = 0; i < count; i += 1) {
        scheduled.shift()?.();
        await settled();
      }
    },
    scheduled,
  };
}

describe('the turns of streams', () => {
  it('give each piece of work a turn of the event loop', async () => {
    const { wait, run, log, scheduled } = manualScheduler();
    for (const name of ['a', 'b', 'c']) wait('lane', name);
    expect(log).toEqual([]);
    await run();
    expect(log).toEqual(['a']);
    await run();
    expect(log).toEqual(['a', 'b']);
    await run();
    expect(log).toEqual(['a', 'b', 'c']);
    // The end of the last turn.
    expect(scheduled).toHaveLength(1);
    await run();
    expect(log).toEqual(['a', 'b', 'c']);
    expect(scheduled).toEqual([]);
  });

  it('alternate between lanes: a hundred pieces of one client delay another by one', async () => {
    const { wait, run, log } = manualScheduler();
    for (let i = 0; i < 100; i += 1) wait('hostile', `hostile ${i}`);
    for (const name of ['first', 'second']) wait('ordinary', name);
    await run(4);
    expect(log).toEqual(['hostile 0', 'first', 'hostile 1', 'second']);
  });

  it('collect reads until nobody waits for a turn', async () => {
    const { scheduler, wait, run, log } = manualScheduler();
    wait('lane', 'a');
    void scheduler.collected().then(() => log.push('collected'));
    wait('lane', 'b');
    await run(2);
    expect(log).toEqual(['a', 'b']);
    await run();
    expect(log).toEqual(['a', 'b', 'collected']);
  });

  it('collect reads for a hundred turns at most', async () => {
    const { scheduler, wait, run, log } = manualScheduler();
    for (let i = 0; i < 200; i += 1) wait('lane', `${i}`);
    void scheduler.collected().then(() => log.push('collected'));
    await run(99);
    expect(log).not.toContain('collected');
    await run();
    expect(log).toContain('collected');
  });
});
