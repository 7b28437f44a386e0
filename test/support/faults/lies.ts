import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect, vi } from 'vitest';
import type { Lie } from '../localnet/lying-chain.ts';
import type { FaultGateway } from './fault-gateway.ts';
import type { LyingWorld } from './lying-world.ts';

const MILLION = 1_000_000n;
const PATIENCE_MS = 120_000;

type LieOf = (world: LyingWorld) => Lie;

/** One of each kind: ahead, behind, without accounts, without one account. */
export const USUAL_LIES: readonly (readonly [string, LieOf])[] = [
  [
    'slots and clock a million ahead',
    () => ({ slots: MILLION, clockSlots: MILLION, clockSeconds: 400_000n }),
  ],
  ['slots and clock a thousand behind', () => ({ slots: -1_000n, clockSlots: -1_000n, clockSeconds: -400n })],
  ['no accounts but the clock', () => ({ withholds: (address) => address !== CLOCK_SYSVAR })],
  [
    'one vault is missing',
    ({ localChain }) => ({ withholds: (address: Address) => address === localChain.addresses.vault }),
  ],
];

export const OTHER_LIES: readonly (readonly [string, LieOf])[] = [
  ['slots a million ahead', () => ({ slots: MILLION })],
  [
    'slots a thousand ahead, with the clock',
    () => ({ slots: 1_000n, clockSlots: 1_000n, clockSeconds: 400n }),
  ],
  ['the slot of the clock a million ahead', () => ({ clockSlots: MILLION })],
  ['the time a million seconds ahead', () => ({ clockSeconds: MILLION })],
  ['the time a million seconds behind', () => ({ clockSeconds: -MILLION })],
  ['the slot of the clock a million behind', () => ({ clockSlots: -MILLION })],
  ['no accounts', () => ({ withholds: () => true })],
];

/** The codes in answers while the chain advances. */
async function traffic(world: LyingWorld, gateway: FaultGateway): Promise<readonly string[]> {
  await world.move();
  const rounds = [await world.ask(gateway), await world.ask(gateway)];
  return rounds.flat().flatMap(({ codes }) => codes);
}

const untilTrusted = ({ app }: FaultGateway) =>
  vi.waitUntil(() => app.chain.state().endpoints.every(({ distrust }) => distrust === null), {
    timeout: PATIENCE_MS,
    interval: 20,
  });

/**
 * Each of three endpoints lies in turn, the first from the start of a gateway, and callers notice nothing.
 *
 * @param first the endpoint that begins
 */
export async function expectLieUnnoticed(world: LyingWorld, lie: LieOf, first: number): Promise<void> {
  const liars = world.nodes.map((_, i) => (first + i) % world.nodes.length);
  const begin = (liar: number) => {
    world.favour(liar);
    world.lie(liar, lie(world));
  };
  begin(liars[0] ?? 0);
  const gateway = await world.gateway();
  try {
    await gateway.openStreams();
    for (const liar of liars) {
      begin(liar);
      expect(await traffic(world, gateway)).toEqual([]);
      await world.untilNewest(gateway);
      await world.untilStreamed(gateway);
      expect((await gateway.ready()).status).toBe(200);
      world.tellTruth();
      await world.move();
      await world.untilNewest(gateway);
      await untilTrusted(gateway);
    }
    expect(await gateway.wrongNumbers()).toEqual([]);
    expect(world.wrongMoments).toEqual([]);
    expect([gateway.streamCodes(), gateway.ended]).toEqual([[], []]);
    expect(gateway.compared).toBeGreaterThan(liars.length * 4);
  } finally {
    world.tellTruth();
    await gateway.stop();
  }
}
