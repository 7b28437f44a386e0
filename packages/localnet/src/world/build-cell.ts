import type { Address } from '@solana/kit';
import { addFarmTreasury } from './farm-treasury.ts';
import { addFarm, createFarm, type FarmPurpose } from './farms.ts';
import { MARKET_SPECS } from './market-specs.ts';
import { addMarket, createMarket, lookupTableAddress } from './markets.ts';
import type { Farm, Holding, Market, Reserve, Vault, Wallet } from './model.ts';
import { itemAt, Random, shuffled } from './prng.ts';
import { addReserve, createReserve } from './reserves.ts';
import { SLOTS_PER_DAY, timeOf } from './time.ts';
import { addHolding, addMint } from './token-accounts.ts';
import { tokenOf } from './tokens.ts';
import { VAULT_SPECS, type VaultSpec } from './vault-specs.ts';
import { addVault, createVault } from './vaults.ts';
import { addWallet, createWallet, walletAddress } from './wallets.ts';
import type { World } from './world.ts';
import { HISTORY_DAYS, type WorldPlan } from './world-plan.ts';

const REWARD_SYMBOLS = ['TIDE', 'SOL', 'USDC', 'REEF', 'jitoSOL'];

/** Creates the markets and reserves of one cell. */
export function buildMarkets(world: World, plan: WorldPlan, cell: number): Market[] {
  const opened = plan.slotBefore(HISTORY_DAYS);
  return MARKET_SPECS.map((spec) => {
    const market = createMarket(world.seed, spec, cell);
    for (const reserveSpec of spec.reserves) {
      const token = tokenOf(world.tokens, reserveSpec.token);
      const price = world.prices.priceSf(token, plan.present);
      const reserve = createReserve(world.seed, market, reserveSpec, token, { slot: opened, priceSf: price });
      addReserveFarms(world, plan, reserve);
      addReserve(world.store, reserve, world.oracle.address);
      addMint(world.store, reserve.collateralMint);
      addHoldings(world, [reserve.liquidityVault, reserve.feeVault, reserve.collateralVault]);
      world.reserves.push(reserve);
    }
    addMarket(world.store, world.seed, market);
    world.markets.push(market);
    return market;
  });
}

function addReserveFarms(world: World, plan: WorldPlan, reserve: Reserve): void {
  const { farms } = reserve.spec;
  if (farms === undefined) return;
  const label = `${reserve.market.name} ${reserve.spec.label ?? reserve.spec.token}`;
  const purpose = (side: string): FarmPurpose => ({
    label: `${label} ${side}`,
    stakeMint: null,
    delegateAuthority: reserve.market.authority,
    vault: null,
  });
  const opened = plan.slotBefore(HISTORY_DAYS - 30);
  if (farms !== 'debt') reserve.collateralFarm = openFarm(world, purpose('collateral'), 1, opened);
  if (farms !== 'collateral') reserve.debtFarm = openFarm(world, purpose('debt'), 1, opened);
}

function openFarm(world: World, purpose: FarmPurpose, rewardCount: number, opened: bigint): Farm {
  const random = new Random(world.seed, 'farm', purpose.label);
  const rewards = shuffled(REWARD_SYMBOLS, random)
    .slice(0, rewardCount)
    .map((symbol) => tokenOf(world.tokens, symbol));
  const farm = createFarm(world.seed, purpose, rewards, random, timeOf(opened));
  addFarm(world.store, world.seed, farm);
  addHoldings(
    world,
    farm.rewards.map(({ holding }) => holding),
  );
  for (const { token } of farm.rewards) addFarmTreasury(world.store, world.seed, token.mint);
  if (farm.holding !== null) addHolding(world.store, farm.holding);
  world.farms.push(farm);
  return farm;
}

/** Creates the vaults of one cell over its reserves. */
export function buildVaults(
  world: World,
  plan: WorldPlan,
  cell: number,
  markets: readonly Market[],
): Vault[] {
  return VAULT_SPECS.map((spec, index) => {
    const random = new Random(world.seed, 'vault-age', cell, index);
    const age = index === 0 ? 390 : random.between(200, 388);
    const created = plan.present - BigInt(age) * SLOTS_PER_DAY - BigInt(random.below(200_000));
    const token = tokenOf(world.tokens, spec.token);
    const vault = createVault(
      { seed: world.seed, cell, createdSlot: created },
      spec,
      token,
      candidatesFor(spec, markets, random),
    );
    if (spec.farm) {
      const purpose = { label: vault.name, stakeMint: vault.sharesMint, delegateAuthority: null, vault };
      vault.farm = openFarm(world, purpose, index === 0 ? 3 : random.between(1, 3), created);
    }
    addVault(world.store, vault);
    addMint(world.store, vault.sharesMint);
    addHoldings(world, [vault.tokenVault, ...vault.allocations.map(({ holding }) => holding)]);
    world.vaults.push(vault);
    return vault;
  });
}

/**
 * The token's reserves that accept deposits: the main market's first, fixed-term ones last unless the vault
 * is for them.
 */
function candidatesFor(spec: VaultSpec, markets: readonly Market[], random: Random): Reserve[] {
  const open = markets
    .flatMap(({ reserves }) => reserves)
    .filter(
      ({ token, spec: { status, saturated } }) =>
        token.symbol === spec.token && status === undefined && !saturated,
    );
  const terms = open.filter((reserve) => reserve.spec.termDays !== undefined);
  const [first, ...others] = open.filter((reserve) => reserve.spec.termDays === undefined);
  const usual = first === undefined ? [] : [first, ...shuffled(others, random)];
  return spec.name.endsWith('Term') ? [...terms, ...usual] : [...usual, ...terms];
}

interface WalletOptions {
  readonly reserved?: boolean;
  readonly addressOf?: (seed: string, label: string) => Address;
}

/** A quarter of the wallets were referred by one of the first ten; a fifth have their own lookup table. */
export function buildWallets(
  world: World,
  cell: number,
  label: string,
  count: number,
  { reserved = false, addressOf = walletAddress }: WalletOptions = {},
): Wallet[] {
  const wallets: Wallet[] = [];
  for (let i = 0; i < count; i += 1) {
    const random = new Random(world.seed, 'wallet', cell, label, i);
    const address = addressOf(world.seed, `${cell} ${label} ${i}`);
    const referred = i >= 10 && random.chance(25);
    const wallet = createWallet(address, {
      cell,
      referrer: referred ? itemAt(wallets, random.below(10)) : null,
      lookupTable: random.chance(20) ? lookupTableAddress(address, 'own') : null,
      reserved,
    });
    addWallet(world.store, wallet);
    world.wallets.push(wallet);
    wallets.push(wallet);
  }
  return wallets;
}

function addHoldings(world: World, holdings: readonly Holding[]): void {
  for (const holding of holdings) addHolding(world.store, holding);
}
