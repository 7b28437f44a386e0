import { describe, expect, it } from 'vitest';
import { OURS, type Results } from '../../bench/peers/results.ts';
import { isMet, targets } from '../../bench/peers/targets.ts';

const row = (name: string, variation: 'same' | 'documents', perSecond: number, p99Ms = 0) => ({
  name,
  variation,
  connections: 16,
  perSecond,
  p50Ms: 10,
  p99Ms,
  cpuMicros: 1,
  answers: 1,
});

const results = (p99Ms: number): Results => ({
  at: '',
  node: '',
  processors: 2,
  seconds: 1,
  world: { vaults: 0, reserves: 0, markets: 0 },
  answerBytes: 0,
  nested: [],
  clients: [],
  throughput: [
    row(OURS, 'same', 500),
    row('node:http, the same bytes', 'same', 1_000),
    row(OURS, 'documents', 299, p99Ms),
    row('mercurius + jit', 'documents', 100),
  ],
  wallets: [],
  footprint: [],
});

describe('floors', () => {
  it('compare rates, and the slowest answers with typical ones', () => {
    const floors = targets(results(40)).map((each) => [each.name, each.value, each.target, isMet(each)]);
    expect(floors).toEqual([
      ['cached answer against node:http, 16 connections', 0.5, 0.5, true],
      ['distinct documents against mercurius + jit, 16 connections', 2.99, 3, false],
      ['distinct documents, p99 against p50, 16 connections', 4, 4, true],
    ]);
    expect(targets(results(41)).map(isMet)).toEqual([true, false, false]);
  });
});
