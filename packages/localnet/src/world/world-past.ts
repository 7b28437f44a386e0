import { generateWorld, type WorldChainOptions } from './generate-world.ts';
import { JournalTransactions } from './journal-transactions.ts';
import { Oracle } from './oracle.ts';
import { Prices } from './prices.ts';
import { addClock } from './runtime-accounts.ts';
import type { World } from './world.ts';

/**
 * A world whose past is complete, from which chains start. It does not change any more: each chain has a fork with accounts,
 * prices and an oracle of its own.
 */
export interface WorldPast {
  readonly world: World;
  /** The newest slot. */
  readonly slot: bigint;
  /** Unix milliseconds of the present. */
  readonly bootedAt: number;
  readonly transactions: JournalTransactions;
}

export function generatePast(options: WorldChainOptions): WorldPast {
  const { world, clock, bootedAt, stops } = generateWorld(options);
  for (const _ of stops) throw new RangeError('Unexpected stop');
  return { world, slot: clock.slot, bootedAt, transactions: new JournalTransactions(world) };
}

/** @param slot the newest of the chain that has the fork */
export function forkWorld({ world }: WorldPast, slot: () => bigint): World {
  const { seed, blockhashOf, tokens } = world;
  const store = world.store.fork();
  const prices = new Prices(seed);
  const oracle = new Oracle(seed, prices, store, tokens, world.oracle);
  addClock(store, { slot, blockhashOf });
  store.takeChanged();
  return { ...world, store, prices, oracle };
}
