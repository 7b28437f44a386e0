import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountIn, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { expectLieUnnoticed, USUAL_LIES } from '../support/faults/lies.ts';
import { LyingWorld } from '../support/faults/lying-world.ts';

const MILLION = 1_000_000n;
const PATIENCE_MS = 120_000;

let world: LyingWorld;

beforeAll(async () => {
  world = await LyingWorld.start();
});

afterAll(async () => {
  await world?.stop();
});

describe('One endpoint of three lies', () => {
  it.each(USUAL_LIES.map(([what, lie], i) => [what, lie, i] as const))(
    '%s: each in turn, the first from the start, and callers notice nothing',
    async (_, lie, i) => {
      // Another endpoint begins with every lie.
      await expectLieUnnoticed(world, lie, i % world.nodes.length);
    },
  );

  it('in its notifications: they are not believed, and vaults stay current', async () => {
    const { localChain } = world;
    const { vault } = localChain.addresses;
    const gateway = await world.gateway({ sockets: true, env: { VAULT_REFRESH_MS: '1000' } });
    const { chain } = gateway.app;
    /** Changes the vault and waits until the View has the change. */
    const change = async (lastFeeChargeTimestamp: bigint) => {
      localChain.place(
        vault,
        withFields(vaultState, accountIn(localChain, vault), { lastFeeChargeTimestamp }),
      );
      await world.move();
      const { data } = accountIn(localChain, vault);
      const isCurrent = () =>
        Buffer.compare(chain.views.current().get('vault', vault)?.data ?? data, data) === 0;
      await vi.waitUntil(isCurrent, { timeout: PATIENCE_MS, interval: 20 });
    };
    try {
      await vi.waitUntil(() => chain.state().announcedKinds.length > 0, {
        timeout: PATIENCE_MS,
        interval: 20,
      });
      world.nodes.forEach((_, i) => {
        world.lie(i, { notifiedSlots: MILLION });
      });
      for (let i = 1n; i <= 3n; i += 1n) await change(i);
      world.tellTruth();
      await change(4n);
      await world.untilNewest(gateway);
      await vi.waitUntil(() => chain.state().announcedKinds.length > 0, {
        timeout: PATIENCE_MS,
        interval: 20,
      });
      expect(await gateway.wrongNumbers()).toEqual([]);
      expect(world.wrongMoments).toEqual([]);
    } finally {
      world.tellTruth();
      localChain.restore();
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
