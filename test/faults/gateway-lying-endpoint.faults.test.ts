import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { CLOCK_SYSVAR } from '../../src/programs/program-ids.ts';
import type { FaultGateway } from '../support/faults/fault-gateway.ts';
import { LyingWorld } from '../support/faults/lying-world.ts';
import type { Lie } from '../support/ledger/lying-ledger.ts';
import { accountIn, withFields } from '../support/ledger/test-ledger.ts';

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
      expect(await gateway.wrongNumbers()).toEqual([]);
      expect(world.wrongMoments).toEqual([]);
      expect([gateway.streamCodes(), gateway.ended]).toEqual([[], []]);
      expect(gateway.compared).toBeGreaterThan(liars.length * 4);
    } finally {
      world.tellTruth();
      await gateway.stop();
    }
  });

  it('in its notifications: they are not believed, and vaults stay current', async () => {
    const { ledger } = world;
    const { vault } = ledger.addresses;
    const gateway = await world.gateway({ sockets: true, env: { VAULT_REFRESH_MS: '1000' } });
    const { chain } = gateway.app;
    /** Changes the vault and waits until the View has the change. */
    const change = async (lastFeeChargeTimestamp: bigint) => {
      ledger.place(vault, withFields(vaultState, accountIn(ledger, vault), { lastFeeChargeTimestamp }));
      await world.move();
      const { data } = accountIn(ledger, vault);
      const isCurrent = () =>
        Buffer.compare(chain.views.current().get('vault', vault)?.data ?? data, data) === 0;
      await vi.waitUntil(isCurrent, { timeout: PATIENCE_MS, interval: 20 });
    };
    try {
      await vi.waitUntil(() => chain.state().notifications, { timeout: PATIENCE_MS, interval: 20 });
      world.nodes.forEach((_, i) => {
        world.lie(i, { notifiedSlots: MILLION });
      });
      for (let i = 1n; i <= 3n; i += 1n) await change(i);
      world.tellTruth();
      await change(4n);
      await world.untilNewest(gateway);
      await vi.waitUntil(() => chain.state().notifications, { timeout: PATIENCE_MS, interval: 20 });
      expect(await gateway.wrongNumbers()).toEqual([]);
      expect(world.wrongMoments).toEqual([]);
    } finally {
      world.tellTruth();
      ledger.restore();
      await gateway.stop();
      await world.move();
    }
  });
});

it('a caller who names an absurd slot waits alone', async () => {
  const gateway = await world.gateway();
  const { app } = gateway;
  try {
    const abandoned = new AbortController();
    const waiting = Promise.resolve(
      app.fetch(
        new Request('http://sluice.test/kvaults/vaults', {
          headers: { 'x-min-slot': String(10n ** 15n) },
          signal: abandoned.signal,
        }),
      ),
    ).catch(() => null);
    for (let i = 0; i < 2; i += 1) {
      await world.move();
      await world.untilNewest(gateway);
    }
    abandoned.abort();
    await waiting;
    await world.move();
    await world.untilNewest(gateway);
    expect(app.chain.state().endpoints.map(({ distrust }) => distrust)).toEqual([null, null, null]);
    expect(await gateway.wrongNumbers()).toEqual([]);
  } finally {
    await gateway.stop();
  }
});
