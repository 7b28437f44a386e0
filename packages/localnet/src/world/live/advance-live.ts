import { refreshFarm } from '@sluice/protocol/farms/instructions';
import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { refreshObligationOf, refreshReserveOf } from '../lending-instructions.ts';
import type { Obligation, Reserve, Vault } from '../model.ts';
import { itemAt, Random } from '../prng.ts';
import { actInMarket, liveObligation } from './act-in-market.ts';
import { actInVault } from './act-in-vault.ts';
import type { LiveWorld } from './live-world.ts';

const { farms } = MAINNET_PROGRAMS;
const RESERVES_PER_SLOT = 4n;
const SLOTS_PER_OBLIGATION = 4n;
const SLOTS_PER_ACTION = 5n;
const SLOTS_PER_VAULT = 40n;
const SLOTS_PER_FARM = 10n;
const ATTEMPTS = 4;
/** A keeper invests once idle tokens exceed this part of a vault's tokens. */
const IDLE_PART = 20n;

/** Runs one slot: the same small amount of work whatever the size of the world. When quiet, nobody acts. */
export function advanceLive(live: LiveWorld, quiet: boolean): void {
  const { slot, world } = live;
  world.oracle.refresh(turn(world.tokens, slot), slot);
  const reserves = Array.from({ length: Number(RESERVES_PER_SLOT) }, (_, i) =>
    turn(world.reserves, slot * RESERVES_PER_SLOT + BigInt(i)),
  );
  refreshReserves(live, new Set(reserves));
  if (slot % SLOTS_PER_OBLIGATION === 0n) {
    refreshObligation(live, turn(world.obligations, slot / SLOTS_PER_OBLIGATION));
  }
  if (slot % SLOTS_PER_FARM === 0n) {
    const { address: farmState } = turn(world.farms, slot / SLOTS_PER_FARM);
    live.crank([refreshFarm.encode(farms, { farmState, scopePrices: null }, {})]);
  }
  if (quiet) return;
  if (slot % SLOTS_PER_VAULT === 0n) runKeeper(live, turn(world.vaults, slot / SLOTS_PER_VAULT));
  if (slot % SLOTS_PER_ACTION === 0n) actRandomly(live);
}

/** Publishes every price and refreshes every reserve, after time was skipped. When quiet, keepers do nothing. */
export function catchUp(live: LiveWorld, quiet: boolean): void {
  const { world, slot } = live;
  for (const token of world.tokens) world.oracle.refresh(token, slot);
  refreshReserves(live, world.reserves);
  if (!quiet) for (const vault of world.vaults) runKeeper(live, vault);
}

/** One wallet performs one action; which ones depends on the slot and the state of the chain alone. */
export function actRandomly(live: LiveWorld): void {
  const { world, slot } = live;
  const random = new Random(world.seed, 'live', String(slot));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const wallet = random.pick(world.wallets);
    if (wallet.reserved) continue;
    const act = random.chance(55) ? actInVault : actInMarket;
    if (act(live, random, wallet)) return;
  }
}

/**
 * Invests what is idle, one reserve after the other. Without much to invest, one call is enough: it charges the vault's fees,
 * which would otherwise lower the share price all at once when somebody next deposits.
 */
export function runKeeper(live: LiveWorld, vault: Vault): void {
  const state = live.vault(vault);
  const { keeper } = vault;
  if (state === null || state.sharesIssued === 0n || keeper === null) return;
  const isIdle = state.tokenAvailable * IDLE_PART > floorScaled(state.prevAumSf);
  for (const allocation of vault.allocations) {
    const unknown = { liquidity: 0n, ctokens: 0n, roundingLoss: 0n };
    const isDone = live.act(keeper, { kind: 'invest', vault, allocation, ...unknown });
    if (isDone && !isIdle) return;
  }
}

/** All prices first: the account of the oracle is encoded again after a change. */
function refreshReserves(live: LiveWorld, reserves: ReadonlySet<Reserve> | readonly Reserve[]): void {
  const { oracle } = live.world;
  for (const { token } of reserves) oracle.refresh(token, live.slot);
  for (const reserve of reserves) live.crank([refreshReserveOf(reserve, oracle.address)]);
}

function refreshObligation(live: LiveWorld, obligation: Obligation): void {
  const found = liveObligation(live, obligation);
  if (found === null) return;
  const { deposits, borrows } = found;
  refreshReserves(live, new Set([...deposits, ...borrows]));
  live.crank([refreshObligationOf({ obligation, deposits, borrows })]);
}

function turn<T>(list: readonly T[], position: bigint): T {
  return itemAt(list, Number(position % BigInt(list.length)));
}
