import { describe, expect, it } from 'vitest';
import {
  CircuitBreaker,
  FAILURES_TO_OPEN,
  FIRST_COOL_DOWN_MS,
  MAX_COOL_DOWN_MS,
} from '../src/transport/circuit-breaker.ts';
import { ManualClock } from './support/scripted-rpc.ts';

function opened(): { circuit: CircuitBreaker; clock: ManualClock } {
  const clock = new ManualClock();
  const circuit = new CircuitBreaker(clock);
  for (let i = 0; i < FAILURES_TO_OPEN; i += 1) circuit.failed(circuit.begin());
  return { circuit, clock };
}

describe('a circuit', () => {
  it('opens after consecutive failures, not after failures with a success between', () => {
    const circuit = new CircuitBreaker(new ManualClock());
    for (let i = 0; i < 3 * FAILURES_TO_OPEN; i += 1) {
      if (i % (FAILURES_TO_OPEN - 1) === 0) circuit.succeeded();
      else circuit.failed(circuit.begin());
    }
    expect([circuit.state, circuit.admits]).toEqual(['CLOSED', true]);
    expect([opened().circuit.state, opened().circuit.admits]).toEqual(['OPEN', false]);
  });

  it('admits one probe after the cool-down, and closes when it succeeds', () => {
    const { circuit, clock } = opened();
    clock.nowMs += FIRST_COOL_DOWN_MS - 1;
    expect(circuit.state).toBe('OPEN');
    clock.nowMs += 1;
    expect([circuit.state, circuit.admits]).toEqual(['HALF_OPEN', true]);
    expect(circuit.begin()).toBe(true);
    expect([circuit.state, circuit.admits]).toEqual(['HALF_OPEN', false]);
    circuit.succeeded();
    expect([circuit.state, circuit.consecutiveFailures]).toEqual(['CLOSED', 0]);
  });

  it('doubles its cool-down after each failed probe up to a cap, and resets it on success', () => {
    const { circuit, clock } = opened();
    const coolDowns: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const since = clock.nowMs;
      while (circuit.state === 'OPEN') clock.nowMs += 500;
      coolDowns.push(clock.nowMs - since);
      circuit.failed(circuit.begin());
    }
    expect(coolDowns).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    clock.nowMs += MAX_COOL_DOWN_MS;
    circuit.begin();
    circuit.succeeded();
    for (let i = 0; i < FAILURES_TO_OPEN; i += 1) circuit.failed(circuit.begin());
    clock.nowMs += FIRST_COOL_DOWN_MS;
    expect(circuit.state).toBe('HALF_OPEN');
  });

  it('ignores late failures of calls that began before it opened', () => {
    const { circuit, clock } = opened();
    clock.nowMs += FIRST_COOL_DOWN_MS;
    circuit.failed(false);
    expect(circuit.state).toBe('HALF_OPEN');
  });

  it('admits another probe after one was cancelled', () => {
    const { circuit, clock } = opened();
    clock.nowMs += FIRST_COOL_DOWN_MS;
    circuit.abandoned(circuit.begin());
    expect([circuit.state, circuit.admits]).toEqual(['HALF_OPEN', true]);
  });
});
