import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { accountIn, serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { NO_POSTGRES, skipPostgres } from '../support/databases/postgres-server.ts';
import { type FaultWorld, startFaultWorld } from '../support/faults/fault-world.ts';
import { suffer } from '../support/faults/run-fault.ts';
import { behind, behindUnsaid } from '../support/rpc/misbehaviours.ts';

const HASTY = { RPC_MAX_ATTEMPTS: '2', REQUEST_TIMEOUT_MS: '6000' };

describe.skipIf(skipPostgres)(`a gateway behind${NO_POSTGRES}`, () => {
  let world: FaultWorld;
  /** A node of the same chain, stuck at an earlier slot. */
  let lagging: LocalnetRpc;

  beforeAll(async () => {
    lagging = await serveChain(new TestChain());
    // With a vault that the lagging node does not have.
    world = await startFaultWorld((localChain) =>
      localChain.place(testAddress(91), accountIn(localChain, localChain.addresses.vault)),
    );
  });
  afterAll(async () => {
    await lagging?.close();
    await world?.stop();
  });

  it.each([
    ['RPC goes back to earlier slots', behind],
    ['RPC goes back and does not say so', behindUnsaid],
  ] as const)('an %s: older data never replaces newer data', async (name, misbehaviour) => {
    const outcome = await suffer(world, {
      name,
      gateway: { env: HASTY },
      begin: ({ proxies }) => proxies[0]?.misbehave(misbehaviour(lagging.url)),
      end: ({ proxies }) => proxies[0]?.heal(),
    });
    expect(outcome.problems).toEqual([]);
  });

  it('one endpoint of three dead: callers see no error', async () => {
    const outcome = await suffer(world, {
      name: 'One endpoint of three dead',
      gateway: { endpoints: 3 },
      begin: ({ proxies }) => proxies[0]?.die(),
      end: ({ proxies }) => proxies[0]?.revive(),
    });
    expect(outcome.problems).toEqual([]);
  });

  it('all endpoints dead: the last View is served with its slot', async () => {
    const outcome = await suffer(world, {
      name: 'All endpoints dead',
      gateway: { endpoints: 3, env: HASTY },
      begin: async ({ proxies }) => {
        for (const proxy of proxies) await proxy.die();
      },
      end: async ({ proxies }) => {
        for (const proxy of proxies) await proxy.revive();
      },
    });
    expect(outcome.problems).toEqual([]);
  });

  it('a dropped WebSocket: changes are polled, then announced again', async () => {
    const [proxy] = world.proxies;
    const outcome = await suffer(world, {
      name: 'WebSocket dropped',
      gateway: { sockets: true },
      begin() {
        if (proxy === undefined || proxy.openSockets === 0) throw new Error('no open WebSocket');
        proxy.refusesSockets = true;
        proxy.dropSockets();
      },
      end: () => proxy?.heal(),
      during: async ({ app }) =>
        app.chain.state().announcedKinds.length > 0 ? ['it says that it listens'] : [],
      after: async ({ app }) => {
        await vi.waitUntil(() => app.chain.state().announcedKinds.length > 0, {
          timeout: 120_000,
          interval: 20,
        });
      },
    });
    expect(outcome.problems).toEqual([]);
  });
});
