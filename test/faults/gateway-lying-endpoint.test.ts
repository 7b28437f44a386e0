import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLOCK_SYSVAR } from '../../src/programs/program-ids.ts';
import type { FaultGateway } from '../support/faults/fault-gateway.ts';
import { LyingWorld } from '../support/faults/lying-world.ts';
import type { Lie } from '../support/ledger/lying-ledger.ts';

const MILLION = 1_000_000n;
const PATIENCE_MS = 120_000;

let world: LyingWorld;

beforeAll(async () => {
  world = await LyingWorld.start();
});

afterAll(async () => {
  await world?.stop();
});

const isVault = (address: Address) => address === world.ledger.addresses.vault;

const LIES: readonly (readonly [string, () => Lie])[] = [
  [
    'slots and clock a million ahead',
    () => ({ slots: MILLION, clockSlots: MILLION, clockSeconds: 400_000n }),
  ],
  ['slots a million ahead', () => ({ slots: MILLION })],
  [
    'slots a thousand ahead, with the clock',
    () => ({ slots: 1_000n, clockSlots: 1_000n, clockSeconds: 400n }),
  ],
  ['the slot of the clock a million ahead', () => ({ clockSlots: MILLION })],
  ['the time a million seconds ahead', () => ({ clockSeconds: MILLION })],
  ['the time a million seconds behind', () => ({ clockSeconds: -MILLION })],
  ['slots and clock a thousand behind', () => ({ slots: -1_000n, clockSlots: -1_000n, clockSeconds: -400n })],
  ['the slot of the clock a million behind', () => ({ clockSlots: -MILLION })],
  ['no accounts', () => ({ withholds: () => true })],
  ['no accounts but the clock', () => ({ withholds: (address) => address !== CLOCK_SYSVAR })],
  ['one vault is missing', () => ({ withholds: isVault })],
];

/** The codes in answers while the chain advances. */
async function traffic(gateway: FaultGateway): Promise<readonly string[]> {
  await world.move();
  const rounds = [await world.ask(gateway), await world.ask(gateway)];
  return rounds.flat().flatMap(({ codes }) => codes);
}

const untilTrusted = ({ app }: FaultGateway) =>
  vi.waitUntil(() => app.chain.state().endpoints.every(({ distrust }) => distrust === null), {
    timeout: PATIENCE_MS,
    interval: 20,
  });

describe('One endpoint of three lies', () => {
  it.each(LIES)('%s: each in turn, the first from the start, and callers notice nothing', async (_, lie) => {
    // Another endpoint begins with every lie.
    const first = LIES.findIndex(([, each]) => each === lie);
    const liars = [0, 1, 2].map((i) => (first + i) % world.nodes.length);
    const begin = (liar: number) => {
      world.favour(liar);
      world.lie(liar, lie());
    };
    begin(liars[0] ?? 0);
    const gateway = await world.gateway();
    try {
      await gateway.openStreams();
      for (const liar of liars) {
        begin(liar);
        expect(await traffic(gateway)).toEqual([]);
        await world.untilNewest(gateway);
        await world.untilStreamed(gateway);
        expect((await gateway.ready()).status).toBe(200);
        world.tellTruth();
        await world.move();
        await world.untilNewest(gateway);
        await untilTrusted(gateway);
      }
      expect(gateway.wrongNumbers()).toEqual([]);
      expect(world.wrongMoments).toEqual([]);
      expect([gateway.streamCodes(), gateway.ended]).toEqual([[], []]);
      expect(gateway.compared).toBeGreaterThan(liars.length * 4);
    } finally {
      world.tellTruth();
      await gateway.stop();
    }
  });

  it('in its notifications: they are not believed, and vaults stay current', async () => {
    const gateway = await world.gateway({ sockets: true, env: { VAULT_REFRESH_MS: '1000' } });
    const { app } = gateway;
    try {
      await world.untilNewest(gateway);
      world.nodes.forEach((_, i) => {
        world.lie(i, { notifiedSlots: MILLION });
      });
      expect(await traffic(gateway)).toEqual([]);
      await world.untilNewest(gateway);
      world.tellTruth();
      await world.move();
      await world.untilNewest(gateway);
      await vi.waitUntil(() => app.chain.state().notifications, { timeout: PATIENCE_MS, interval: 20 });
      expect(gateway.wrongNumbers()).toEqual([]);
      expect(world.wrongMoments).toEqual([]);
    } finally {
      world.tellTruth();
      await gateway.stop();
    }
  });
});
