import { describe, expect, it } from 'vitest';
import { createDemoLedger } from '../../src/demo/world/demo-ledger.ts';
import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/programs/program-ids.ts';
import { bytesOf } from './world-reading.ts';

const PROGRAMS = [
  ...Object.values(MAINNET_PROGRAMS),
  SCOPE_PROGRAM,
  SYSVAR_PROGRAM,
  SYSTEM_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
];
const START = Date.UTC(2026, 5, 15, 13, 20);

describe('the same seed', () => {
  it('produces the same bytes, whenever they are read', () => {
    const clocks = [START, START];
    const [first, second] = [0, 1].map((i) =>
      createDemoLedger({ seed: 'twin', now: () => clocks[i] ?? START }),
    );
    if (first === undefined || second === undefined) throw new Error('two ledgers');
    bytesOf(first, PROGRAMS);
    for (const [i, ledger] of [first, second].entries()) {
      for (let step = 0; step < 150; step += 1) {
        clocks[i] = (clocks[i] ?? START) + 400;
        ledger.tick();
      }
    }
    const [left, right] = [bytesOf(first, PROGRAMS), bytesOf(second, PROGRAMS)];
    expect(right.size).toBe(left.size);
    for (const [address, bytes] of left) {
      if (right.get(address) !== bytes) expect.fail(`${address} differs`);
    }
    const signatures = (ledger: typeof first) =>
      ledger
        .transactionsOf(ledger.addresses.vault)
        .map(({ signature, wire }) => [signature, Buffer.from(wire).toString('hex')]);
    expect(signatures(second)).toEqual(signatures(first));
  });

  it('produces the same addresses at any time and scale, and the same past all day', () => {
    const noon = createDemoLedger({ now: () => Date.UTC(2026, 5, 15, 12) });
    const evening = createDemoLedger({ now: () => Date.UTC(2026, 5, 15, 22) });
    const later = createDemoLedger({ now: () => Date.UTC(2027, 1, 3) });
    expect(evening.addresses).toEqual(noon.addresses);
    expect(later.addresses).toEqual(noon.addresses);
    const early = (ledger: typeof noon) =>
      ledger
        .transactionsOf(noon.addresses.vault)
        .filter(({ blockTime }) => blockTime < Date.UTC(2026, 5, 15) / 1000)
        .map(({ signature }) => signature);
    expect(early(evening)).toEqual(early(noon));
    expect(early(noon).length).toBeGreaterThan(10);
  });
});

describe('another seed', () => {
  it('produces a different world', () => {
    const [one, two] = ['one', 'two'].map((seed) => createDemoLedger({ seed, now: () => START }).addresses);
    expect(one?.wallet).not.toBe(two?.wallet);
    expect(one?.vault).not.toBe(two?.vault);
    expect(one?.tokenMint).toBe(two?.tokenMint);
  });
});
