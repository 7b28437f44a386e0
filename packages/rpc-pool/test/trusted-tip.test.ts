import { describe, expect, it } from 'vitest';
import { suspendableClock } from '../src/transport/suspendable-clock.ts';
import type { ReportedTip } from '../src/trust/reported-tip.ts';
import { ABANDON_AFTER_MS, LONE_CLAIM_MS, TrustedTip } from '../src/trust/trusted-tip.ts';

const MILLION = 1_000_000;
const START = 300_000_000;
const START_TIME = 1_800_000_000;

/** An honest claim so many slots after the start, at 400 ms each. */
const at = (slots: number): ReportedTip => ({
  slot: START + slots,
  time: START_TIME + Math.floor(slots * 0.4),
});

function chain({ allowsWarp = false } = {}) {
  const clock = { nowMs: 0 };
  return { clock, believed: new TrustedTip({ now: () => clock.nowMs, allowsWarp }) };
}

/** A chain that three endpoints have agreed on. */
function agreed(options = {}) {
  const made = chain(options);
  made.believed.judge(at(0), [at(0), at(1)]);
  return made;
}

describe('what follows from elapsed time', () => {
  it('is believed as long as slots and time pass no faster than a cluster can', () => {
    const { clock, believed } = agreed();
    for (let i = 1; i <= 100; i += 1) {
      clock.nowMs += 2_000;
      expect(believed.allows(at(i * 5))).toBe(true);
      believed.advance(at(i * 5));
    }
    expect(believed.slot).toBe(START + 500);
  });

  it('is not a slot, nor a time, that is far ahead', () => {
    const { clock, believed } = agreed();
    clock.nowMs += 2_000;
    expect(believed.allows({ ...at(5), slot: START + MILLION })).toBe(false);
    expect(believed.allows({ ...at(5), slot: START + 100 })).toBe(false);
    expect(believed.allows({ ...at(5), time: START_TIME + 1_000 })).toBe(false);
  });

  it('is not a time that is far behind, unless the slot is', () => {
    const { clock, believed } = agreed();
    clock.nowMs += 2_000;
    expect(believed.allows({ ...at(5), time: START_TIME - 1_000 })).toBe(false);
    expect(believed.allows(at(-2_500))).toBe(true);
  });

  it('does not add up to a large jump by many small ones', () => {
    const { clock, believed } = agreed();
    let slot = START;
    for (let i = 0; i < 1_000; i += 1) {
      clock.nowMs += 10;
      const next = { slot: slot + 20, time: null };
      if (!believed.allows(next)) continue;
      believed.advance(next);
      slot = next.slot;
    }
    // Ten seconds at five slots each, and the credit.
    expect(slot - START).toBeLessThanOrEqual(50 + 33);
  });

  it('includes hours in which the cluster halted or the machine was suspended', () => {
    const clock = { monotonicMs: 0, wallMs: 1_000_000 };
    const now = suspendableClock(
      { now: () => clock.monotonicMs, sleep: () => Promise.resolve() },
      () => clock.wallMs,
    );
    const believed = new TrustedTip({ now, allowsWarp: false });
    believed.judge(at(0), [at(0)]);
    const eightHours = 8 * 3_600;
    clock.wallMs += eightHours * 1_000;
    expect(believed.allows(at(eightHours / 0.4))).toBe(true);
    expect(believed.allows(at(eightHours / 0.4 + MILLION))).toBe(false);
  });
});

describe('what most endpoints say', () => {
  it('is believed, whatever the order of the claims', () => {
    const liar = at(MILLION);
    for (const others of [
      [at(1), liar],
      [liar, at(1)],
    ]) {
      const { believed } = chain();
      expect(believed.judge(at(0), others)).toBe(true);
      expect(believed.slot).toBe(START + 1);
      expect(believed.isCorroborated).toBe(true);
    }
    const { believed } = chain();
    expect(believed.judge(liar, [at(0), at(1)])).toBe(false);
    expect(believed.slot).toBeNull();
  });

  it('is believed after a jump that all of them make', () => {
    const { believed } = agreed();
    expect(believed.allows(at(50_000))).toBe(false);
    expect(believed.judge(at(50_000), [at(50_001), at(50_000)])).toBe(true);
    expect(believed.slot).toBe(START + 50_000);
  });

  it('decides on the time of the clock, too', () => {
    const { believed } = agreed();
    const late = { ...at(1), time: START_TIME + MILLION };
    expect(believed.judge(late, [at(1), at(1)])).toBe(false);
    expect(believed.judge({ ...at(1), time: START_TIME - MILLION }, [at(1), at(1)])).toBe(false);
    expect(believed.judge(late, [late, at(1)])).toBe(true);
  });

  it('leaves the slot where it was when the others are behind', () => {
    const { believed } = agreed();
    const jumped = { slot: START, time: START_TIME + MILLION };
    expect(believed.judge(jumped, [{ ...jumped, slot: START - 10 }, jumped])).toBe(true);
    expect(believed.slot).toBe(START + 0);
  });
});

describe('two endpoints', () => {
  it('that differ by an hour differ by lag: the newer is believed', () => {
    const { believed } = chain();
    expect(believed.judge(at(1_000), [at(0)])).toBe(true);
    expect(believed.slot).toBe(START + 1_000);
  });

  it('that differ by more: the one that follows from what was known is believed', () => {
    const { clock, believed } = agreed();
    clock.nowMs += 2_000;
    expect(believed.judge(at(MILLION), [at(5)])).toBe(false);
    expect(believed.allows(at(5))).toBe(true);
  });

  it('that differ by more from the start: the older is believed, which both have reached', () => {
    const { believed } = chain();
    expect(believed.judge(at(MILLION), [at(0)])).toBe(false);
    expect(believed.judge(at(0), [at(MILLION)])).toBe(true);
    expect(believed.slot).toBe(START);
  });
});

describe('a lone endpoint', () => {
  it('is believed at first, and not when it jumps', () => {
    const { clock, believed } = chain();
    expect(believed.judge(at(0), [])).toBe(true);
    expect(believed.isCorroborated).toBe(false);
    clock.nowMs += 2_000;
    expect(believed.judge(at(MILLION), [])).toBe(false);
  });

  it('is believed when it repeats the jump for long, and nothing else is known', () => {
    const { clock, believed } = chain();
    believed.judge(at(0), []);
    expect(believed.judge(at(MILLION), [])).toBe(false);
    clock.nowMs += LONE_CLAIM_MS - 1;
    expect(believed.judge(at(MILLION), [])).toBe(false);
    clock.nowMs += 1;
    expect(believed.judge(at(MILLION), [])).toBe(true);
    expect(believed.slot).toBe(START + MILLION);
  });

  it('starts to insist anew after an honest answer', () => {
    const { clock, believed } = chain();
    believed.judge(at(0), []);
    believed.judge(at(MILLION), []);
    clock.nowMs += LONE_CLAIM_MS - 1;
    believed.advance(at(70));
    clock.nowMs += 1;
    expect(believed.judge(at(MILLION), [])).toBe(false);
  });

  it('may warp where that is allowed', () => {
    const { believed } = chain({ allowsWarp: true });
    believed.judge(at(0), []);
    expect(believed.judge(at(MILLION), [])).toBe(true);
  });
});

describe('a slot that turns out to be a lie', () => {
  it('is given up at once when only one endpoint claimed it and most contradict', () => {
    const { believed } = chain();
    believed.judge(at(MILLION), []);
    expect(believed.giveUp([at(MILLION), at(2), at(3)])).toBe(START + 3);
    expect(believed.slot).toBe(START + 3);
    expect(believed.allows(at(4))).toBe(true);
    expect(believed.allows(at(MILLION))).toBe(false);
  });

  it('stays while two endpoints contradict each other', () => {
    const { clock, believed } = chain();
    believed.judge(at(MILLION), []);
    clock.nowMs += 10 * ABANDON_AFTER_MS;
    expect(believed.giveUp([at(MILLION), at(2)])).toBeNull();
  });

  it('is given up, when endpoints agreed on it, after none has confirmed it for long', () => {
    const { clock, believed } = agreed();
    const behind = [at(-500), at(-500), at(-500)];
    expect(believed.giveUp(behind)).toBeNull();
    clock.nowMs += ABANDON_AFTER_MS - 1;
    expect(believed.giveUp(behind)).toBeNull();
    clock.nowMs += 1;
    expect(believed.giveUp(behind)).toBe(START - 500);
  });

  it('is not given up when an endpoint confirmed it meanwhile', () => {
    const { clock, believed } = agreed();
    const behind = [at(-500), at(-500), at(-500)];
    believed.giveUp(behind);
    clock.nowMs += ABANDON_AFTER_MS;
    expect(believed.giveUp([at(0), at(-500), at(-500)])).toBeNull();
    expect(believed.giveUp(behind)).toBeNull();
  });
});
