import { GrpcStatus } from '@sluice/geyser/errors';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { StreamWorld } from '../support/geyser/stream-world.ts';

let world: StreamWorld;

beforeAll(async () => {
  world = await StreamWorld.start({
    stallMs: 3_000,
    firstPauseMs: 10,
    longestPauseMs: 100,
    distrustMs: 500,
    checkMs: 100,
  });
});

afterEach(() => {
  world.faults.clear();
});

afterAll(async () => {
  await world?.stop();
});

/** Moves the world until a connection has ended. */
async function interrupted(): Promise<void> {
  await world.moveUntil(() => ['resuming', 'disconnected'].includes(world.stream.status));
}

/** Views are polled and reach the slot of the chain. */
async function polled(): Promise<void> {
  await world.moveUntil(() => world.stream.status === 'disconnected');
  const { slot } = world.localnet.chain;
  const view = await world.streaming.app.chain.reach(slot, new AbortController().signal);
  expect(view.moment.slotWhole).toBeGreaterThanOrEqual(slot);
}

/** Accounts of a kind with another byte, which decoding does not notice. */
function altered({ discriminator }: Pick<typeof obligation, 'discriminator'>, at: number) {
  return (data: Uint8Array): Uint8Array | null => {
    if (!discriminator.every((byte, i) => data[i] === byte)) return null;
    const copy = Uint8Array.from(data);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
}

/** Some account that changes in every slot. */
const oracle = () => [...world.streaming.app.chain.views.current().all('oracle').keys()][0];

const FAULTS: readonly (readonly [name: string, cause: () => Promise<void>])[] = [
  [
    'a dropped connection',
    async () => {
      world.faults.drop();
      world.move();
    },
  ],
  [
    'a server that restarts and has nothing to replay',
    async () => {
      world.faults.restart();
      await interrupted();
    },
  ],
  [
    'a stall',
    async () => {
      world.faults.stall();
      await polled();
    },
  ],
  [
    'repeated updates',
    async () => {
      world.faults.copies = 3;
      expect(await world.differences()).toEqual([]);
    },
  ],
  [
    'updates in reverse',
    async () => {
      world.faults.isReordered = true;
      for (let i = 0; i < 4; i += 1) world.move(400);
    },
  ],
  [
    'missing slots',
    async () => {
      world.faults.skip(3);
      for (let i = 0; i < 6; i += 1) world.move(400);
    },
  ],
  [
    'a fork',
    async () => {
      world.faults.fork();
      for (let i = 0; i < 3; i += 1) world.move(400);
    },
  ],
  [
    'a fork whose end is not announced',
    async () => {
      world.faults.fork({ isAnnounced: false });
      for (let i = 0; i < 3; i += 1) world.move(400);
    },
  ],
  [
    'accounts of another program',
    async () => {
      world.faults.falsify({ owner: TOKEN_PROGRAM });
      await polled();
    },
  ],
  [
    'truncated accounts',
    async () => {
      const address = oracle();
      world.faults.falsify({ ...(address === undefined ? {} : { address }), dataBytes: 100 });
      await polled();
    },
  ],
  [
    'loans with other amounts',
    async () => {
      world.faults.falsify({ alter: altered(obligation, obligation.offsetOf('depositedValueSf')) });
      await world.moveUntil(() => world.stream.lastFault === 'CONTRADICTS_RPC');
      await polled();
    },
  ],
  [
    'reserves with other amounts',
    async () => {
      world.faults.falsify({ alter: altered(reserve, reserve.offsetOf('liquidity')) });
      await world.moveUntil(() => world.stream.lastFault === 'CONTRADICTS_RPC');
      await polled();
    },
  ],
  [
    'a flood',
    async () => {
      world.faults.flood(20_000);
      world.move();
    },
  ],
  [
    'a failure for ever',
    async () => {
      world.faults.refuse(GrpcStatus.INTERNAL, 'lagged');
      await polled();
    },
  ],
  [
    'a limit for ever',
    async () => {
      world.faults.refuse(GrpcStatus.RESOURCE_EXHAUSTED, 'too many');
      await polled();
    },
  ],
];

it.each(FAULTS)('%s leaves the answers of a gateway those of one that polls', async (_, cause) => {
  await cause();
  world.faults.clear();
  await world.untilStreamed();
  for (let i = 0; i < 2; i += 1) expect(await world.differences()).toEqual([]);
});
