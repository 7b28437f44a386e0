import { AccountStore } from './account-store.ts';
import { refreshReserve } from './debts.ts';
import { Journal } from './journal.ts';
import { jump, liveThroughSlot } from './live.ts';
import { addLookupTables } from './lookup-tables.ts';
import { Oracle } from './oracle.ts';
import { planCell, settlePast } from './past.ts';
import { Plan } from './plan.ts';
import { Prices } from './prices.ts';
import { addRuntimeAccounts } from './runtime-accounts.ts';
import { dayStart, slotAt } from './time.ts';
import { addMint } from './token-accounts.ts';
import { createTokens } from './tokens.ts';
import { Visits } from './visits.ts';
import type { World } from './world.ts';

export interface DemoLedgerOptions {
  /** Another seed is another world, with other addresses. */
  readonly seed?: number | string;
  /** How many copies of the basic pattern there are. */
  readonly scale?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The moment (unix milliseconds) up to which the past is told in full; midnight of the present day when left out. */
  readonly startedAt?: number;
}

/** A world whose past is being told. */
export interface Telling {
  readonly world: World;
  /** The newest slot; the telling moves it to the present. */
  readonly clock: { slot: bigint };
  /** Unix milliseconds of the present. */
  readonly bootedAt: number;
  /** Tells everything up to the present; stops at each slot that was asked for, when it is exactly that slot. */
  readonly moments: Iterable<bigint>;
}

/** Beyond this many slots at once, time is passed over instead of lived through. */
const MOST_SLOTS_AT_ONCE = 150n;
const ACTIONS_PER_JUMP = 40n;

export const isFar = (from: bigint, to: bigint) => to - from > MOST_SLOTS_AT_ONCE;

/** Passes over a long time. */
export function passOver(world: World, from: bigint, to: bigint): void {
  for (const _ of jump(world, from, to, ACTIONS_PER_JUMP, new Visits([])));
}

/** @param stopAt slots of the past, ascending, at which somebody wants to look at the world. */
export function tellPast(options: DemoLedgerOptions, stopAt: readonly bigint[] = []): Telling {
  const { seed = 'sluice', scale = 1, now } = options;
  const bootedAt = now();
  const midnight = slotAt(options.startedAt ?? dayStart(bootedAt));
  const clock = { slot: midnight };
  const world = emptyWorld(String(seed), midnight, () => clock.slot);
  const visits = new Visits(stopAt);
  function* tell(): Generator<bigint, void> {
    yield* fillWorld(world, scale, midnight, visits);
    const present = slotAt(bootedAt);
    if (isFar(midnight, present)) {
      yield* jump(world, midnight, present, ACTIONS_PER_JUMP, visits);
      clock.slot = present;
    }
    while (clock.slot < present) {
      yield* visits.before(clock.slot + 1n);
      liveThroughSlot(world, clock.slot + 1n);
      clock.slot += 1n;
    }
  }
  return { world, clock, bootedAt, moments: tell() };
}

/** Shows the world with every reserve refreshed at a slot, and leaves it as it was: a look changes nothing. */
export function lookAt<T>(world: World, slot: bigint, look: () => T): T {
  const before = world.reserves.map((reserve) => ({ ...reserve }));
  for (const reserve of world.reserves) refreshReserve(world, reserve, slot);
  try {
    return look();
  } finally {
    world.reserves.forEach((reserve, i) => {
      Object.assign(reserve, before[i]);
      world.store.touch(reserve.address);
    });
  }
}

function emptyWorld(seed: string, present: bigint, slot: () => bigint): World {
  const store = new AccountStore();
  const prices = new Prices(seed);
  const tokens = createTokens(seed);
  addRuntimeAccounts(store, seed, slot);
  for (const { mint } of tokens) addMint(store, mint);
  return {
    seed,
    store,
    journal: new Journal(),
    prices,
    oracle: new Oracle(seed, prices, store, tokens, present),
    tokens,
    markets: [],
    reserves: [],
    vaults: [],
    farms: [],
    wallets: [],
    obligations: [],
    referrerStates: new Map(),
  };
}

function* fillWorld(world: World, scale: number, present: bigint, visits: Visits): Generator<bigint, void> {
  const plan = new Plan(present, world.prices);
  for (let cell = 0; cell < scale; cell += 1) planCell(world, plan, cell);
  yield* plan.run(visits);
  yield* visits.before(present);
  settlePast(world, present);
  addLookupTables(world);
}
