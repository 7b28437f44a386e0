import { VANILLA_OBLIGATION, withdrawTicket } from '@sluice/protocol/klend/addresses';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { WorldAddresses } from '../world-addresses.ts';
import { borrowOrderAddresses } from './borrow-orders.ts';
import { planPosition } from './borrowers.ts';
import { buildWallets } from './build-cell.ts';
import { type KeyPair, labelledKeyPair } from './key-pair.ts';
import { reserveOf } from './markets.ts';
import type { Market, Reserve, Vault, Wallet } from './model.ts';
import { createObligation } from './obligations.ts';
import { transferAddresses } from './ownership-transfers.ts';
import { itemAt, Random } from './prng.ts';
import { referrerStateAddress } from './referrers.ts';
import { runningTermAddresses, termLoanAddresses, termMarketOf } from './term-loans.ts';
import { depositInVault, withdrawFromVault } from './vault-engine.ts';
import { walletAddress } from './wallets.ts';
import { ticketOwner } from './withdraw-queue.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const HEALTH = 1.65;

/** Enters the derivation of keys and of the wallet's past: another label would give every seed another world. */
const WALLET_LABEL = 'demo';

/** The key of the wallet used in examples. Other wallets have none: creating a key takes longer than planning a wallet. */
export const worldWalletKey = (seed: string): KeyPair => labelledKeyPair(seed, 'wallet-key', WALLET_LABEL);

/** Plans the wallet used in examples. It never acts on its own, so the examples stay true. */
export function planExampleWallet(
  world: World,
  plan: WorldPlan,
  markets: readonly Market[],
  vaults: readonly Vault[],
): void {
  const wallet = itemAt(
    buildWallets(world, 0, WALLET_LABEL, 1, {
      reserved: true,
      addressOf: (seed) => worldWalletKey(seed).address,
    }),
    0,
  );
  const market = itemAt(markets, 0);
  const random = new Random(world.seed, `${WALLET_LABEL}-wallet`);
  planPosition(world, plan, random, {
    obligation: createObligation(wallet, market, VANILLA_OBLIGATION),
    deposits: [
      { reserve: reserveOf(market, 'SOL'), usd: 24_000 },
      { reserve: reserveOf(market, 'wBTC'), usd: 6_000 },
    ],
    debts: [reserveOf(market, 'USDC')],
    health: HEALTH,
    group: null,
    oldest: 120,
    hole: false,
  });
  const staked = reserveOf(market, 'jitoSOL');
  const sol = reserveOf(market, 'SOL');
  planPosition(world, plan, random, {
    obligation: createObligation(wallet, market, {
      tag: 1,
      id: 0,
      seed1: staked.token.mint.address,
      seed2: sol.token.mint.address,
    }),
    deposits: [{ reserve: staked, usd: 9_000 }],
    debts: [sol],
    health: 1.35,
    group: itemAt(market.groups, 0),
    oldest: 90,
    hole: false,
  });
  planExampleVaults(world, plan, vaults, wallet);
}

function planExampleVaults(world: World, plan: WorldPlan, vaults: readonly Vault[], wallet: Wallet): void {
  const first = itemAt(vaults, 0);
  first.pendingAdmin = wallet.address;
  const deposit = (daysAgo: number, vault: Vault, usd: number, stake: boolean) => {
    const units = plan.units(vault.token, usd);
    plan.add(daysAgo, (slot) =>
      depositInVault(world, vault, wallet, { maxAmount: units, stakeToo: stake }, slot),
    );
  };
  deposit(96.3, first, 12_000, true);
  deposit(61.8, first, 4_500, false);
  plan.add(14.2, (slot) => {
    const held = wallet.holdings.get(first.sharesMint.address)?.amount ?? 0n;
    withdrawFromVault(world, first, wallet, held / 5n, slot);
  });
  const solVault = itemAt(
    vaults,
    vaults.findIndex(({ token }) => token.symbol === 'SOL'),
  );
  deposit(80.4, solVault, 3_200, true);
  deposit(40.1, solVault, 900, false);
  const wide = itemAt(vaults, 2);
  deposit(70.9, wide, 2_000, true);
  deposit(33.7, wide, 1_500, false);
}

function farmOf({ address, farm }: Vault): Address {
  if (farm === null) throw new RangeError(`vault ${address} has no farm`);
  return farm.address;
}

const exampleWallet = ({ wallets }: World): Wallet =>
  itemAt(
    wallets,
    wallets.findIndex(({ reserved }) => reserved),
  );

/** The addresses used in examples. They are the same for every size of the world and at every time. */
export function worldAddressesOf(world: World): WorldAddresses {
  const market = itemAt(world.markets, 0);
  const vault = itemAt(world.vaults, 0);
  const wallet = exampleWallet(world);
  const staked =
    market.reserves.find(({ token }) => token.base?.symbol === 'SOL') ?? itemAt(market.reserves, 0);
  const queued = itemAt(
    world.reserves,
    world.reserves.findIndex(({ spec }) => spec.queue !== undefined),
  );
  return {
    wallet: wallet.address,
    emptyWallet: walletAddress(world.seed, 'empty'),
    vault: vault.address,
    vaultAdmin: vault.admin,
    market: market.address,
    reserve: reserveOf(market, 'USDC').address,
    obligation: itemAt(wallet.obligations, 0).address,
    depositReserve: reserveOf(market, 'SOL').address,
    borrowReserve: reserveOf(market, 'USDC').address,
    sharesMint: vault.sharesMint.address,
    farm: farmOf(vault),
    tokenMint: vault.token.mint.address,
    stakedReserve: staked.address,
    stakedMint: staked.token.mint.address,
    queuedReserve: queued.address,
    queuedWallet: ticketOwner(world, queued, (queued.spec.queue?.length ?? 0) - 1),
    queuedTicket: withdrawTicket(
      MAINNET_PROGRAMS.klend,
      queued.address,
      BigInt(queued.spec.queue?.length ?? 0) - 1n,
    ).address,
    queuedMarket: queued.market.address,
    referrer: exampleReferrer(world, reserveOf(market, 'USDC')).address,
    referredReserve: reserveOf(market, 'USDC').address,
    ...transferAddresses(world, market),
    ...borrowOrderAddresses(world, market),
    ...termLoanAddresses(world),
    ...runningTermAddresses(world, termMarketOf(world.markets)),
  };
}

/** The first wallet to which the reserve owes referral fees. */
function exampleReferrer(world: World, reserve: Reserve): Wallet {
  const index = world.wallets.findIndex((wallet) => {
    const state = world.referrerStates.get(referrerStateAddress(wallet, reserve).address);
    return state !== undefined && state.unclaimedSf >= FRACTION_ONE;
  });
  return itemAt(world.wallets, Math.max(index, 0));
}
