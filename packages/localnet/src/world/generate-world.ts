import { AccountStore } from '../runtime/account-store.ts';
import { advanceSlot, skipAhead } from './advance-slot.ts';
import { blockhashes } from './blockhash.ts';
import { refreshReserve } from './debts.ts';
import { addExchangeVaults } from './exchange-vaults.ts';
import { addFarmGlobalConfig } from './farm-treasury.ts';
import { Journal } from './journal.ts';
import { addLookupTables } from './lookup-tables.ts';
import { Oracle } from './oracle.ts';
import { planCell, settlePast } from './plan-cell.ts';
import { Prices } from './prices.ts';
import { addRuntimeAccounts } from './runtime-accounts.ts';
import { StopSlots } from './stop-slots.ts';
import { dayStart, slotAt } from './time.ts';
import { addMint } from './token-accounts.ts';
import { createTokens } from './tokens.ts';
import type { World } from './world.ts';
import { WorldPlan } from './world-plan.ts';

export interface WorldChainOptions {
  /** A different seed gives a different world with different addresses. */
  readonly seed?: number | string;
  /** The number of cells, which are copies of the basic pattern. */
  readonly scale?: number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /**
   * Until when (unix milliseconds) the past is generated in full; defaults to midnight of the current day.
   */
  readonly startedAt?: number;
  /** Nobody acts on their own once the chain has started; interest and prices still move. Defaults to false. */
  readonly quiet?: boolean;
}

/** A world whose past is being generated. */
export interface WorldGeneration {
  readonly world: World;
  /** The newest slot; generation moves it to the present. */
  readonly clock: { slot: bigint };
  /** Unix milliseconds of the present. */
  readonly bootedAt: number;
  /** Generates everything up to the present. Pauses at each requested slot, exactly at that slot. */
  readonly stops: Iterable<bigint>;
}

/** A longer gap is skipped with few actions instead of being simulated slot by slot. */
const MAX_SIMULATED_SLOTS = 150n;
const ACTIONS_PER_GAP = 40n;

export const isLongGap = (from: bigint, to: bigint) => to - from > MAX_SIMULATED_SLOTS;

/** @param stopAt past slots, ascending, at which the caller inspects the world */
export function generateWorld(options: WorldChainOptions, stopAt: readonly bigint[] = []): WorldGeneration {
  const { seed = 'sluice', scale = 1, now } = options;
  const bootedAt = now();
  const midnight = slotAt(options.startedAt ?? dayStart(bootedAt));
  const clock = { slot: midnight };
  const world = emptyWorld(String(seed), () => clock.slot);
  const stops = new StopSlots(stopAt);
  function* generate(): Generator<bigint, void> {
    yield* fillWorld(world, scale, midnight, stops);
    const present = slotAt(bootedAt);
    if (isLongGap(midnight, present)) {
      yield* skipAhead(world, midnight, present, ACTIONS_PER_GAP, stops);
      clock.slot = present;
    }
    while (clock.slot < present) {
      yield* stops.before(clock.slot + 1n);
      advanceSlot(world, clock.slot + 1n);
      clock.slot += 1n;
    }
  }
  return { world, clock, bootedAt, stops: generate() };
}

/** Calls `inspect` with every reserve refreshed at a slot, then restores the world. */
export function inspectAt<T>(world: World, slot: bigint, inspect: () => T): T {
  const before = world.reserves.map((reserve) => ({ ...reserve }));
  for (const reserve of world.reserves) refreshReserve(world, reserve, slot);
  try {
    return inspect();
  } finally {
    world.reserves.forEach((reserve, i) => {
      Object.assign(reserve, before[i]);
      world.store.touch(reserve.address);
    });
  }
}

function emptyWorld(seed: string, slot: () => bigint): World {
  const store = new AccountStore();
  const prices = new Prices(seed);
  const tokens = createTokens(seed);
  const blockhashOf = blockhashes(seed);
  addRuntimeAccounts(store, seed, { slot, blockhashOf });
  addFarmGlobalConfig(store, seed);
  for (const { mint } of tokens) addMint(store, mint);
  return {
    seed,
    blockhashOf,
    store,
    journal: new Journal(),
    prices,
    oracle: new Oracle(seed, prices, store, tokens),
    tokens,
    markets: [],
    reserves: [],
    vaults: [],
    farms: [],
    wallets: [],
    quietWallets: [],
    obligations: [],
    referrerStates: new Map(),
  };
}

function* fillWorld(world: World, scale: number, present: bigint, stops: StopSlots): Generator<bigint, void> {
  const plan = new WorldPlan(present, world.prices);
  for (let cell = 0; cell < scale; cell += 1) planCell(world, plan, cell);
  yield* plan.run(stops);
  yield* stops.before(present);
  settlePast(world, present);
  for (const token of world.tokens) world.oracle.refresh(token, present);
  addExchangeVaults(world);
  addLookupTables(world);
}
