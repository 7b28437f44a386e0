import {
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { createWorldChain } from '../../src/world/world-chain.ts';
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
      createWorldChain({ seed: 'twin', now: () => clocks[i] ?? START }),
    );
    if (first === undefined || second === undefined) throw new Error('two chains');
    bytesOf(first, PROGRAMS);
    for (const [i, localChain] of [first, second].entries()) {
      for (let step = 0; step < 150; step += 1) {
        clocks[i] = (clocks[i] ?? START) + 400;
        localChain.tick();
      }
    }
    const [left, right] = [bytesOf(first, PROGRAMS), bytesOf(second, PROGRAMS)];
    expect(right.size).toBe(left.size);
    for (const [address, bytes] of left) {
      if (right.get(address) !== bytes) expect.fail(`${address} differs`);
    }
    const signatures = (localChain: typeof first) =>
      localChain
        .transactionsOf(localChain.addresses.vault)
        .map(({ signature, wire }) => [signature, Buffer.from(wire).toString('hex')]);
    expect(signatures(second)).toEqual(signatures(first));
  });

  it('produces the same addresses at any time and scale, and the same past all day', () => {
    const noon = createWorldChain({ now: () => Date.UTC(2026, 5, 15, 12) });
    const evening = createWorldChain({ now: () => Date.UTC(2026, 5, 15, 22) });
    const later = createWorldChain({ now: () => Date.UTC(2027, 1, 3) });
    expect(evening.addresses).toEqual(noon.addresses);
    expect(later.addresses).toEqual(noon.addresses);
    const early = (localChain: typeof noon) =>
      localChain
        .transactionsOf(noon.addresses.vault)
        .filter(({ blockTime }) => blockTime < Date.UTC(2026, 5, 15) / 1000)
        .map(({ signature }) => signature);
    expect(early(evening)).toEqual(early(noon));
    expect(early(noon).length).toBeGreaterThan(10);
  });
});

describe('another seed', () => {
  it('produces a different world', () => {
    const [one, two] = ['one', 'two'].map((seed) => createWorldChain({ seed, now: () => START }).addresses);
    expect(one?.wallet).not.toBe(two?.wallet);
    expect(one?.vault).not.toBe(two?.vault);
    expect(one?.tokenMint).toBe(two?.tokenMint);
  });
});
