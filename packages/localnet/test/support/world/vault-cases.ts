import { claimReward } from '../../../src/world/farm-engine.ts';
import type { Vault, Wallet } from '../../../src/world/model.ts';
import type { Random } from '../../../src/world/prng.ts';
import { unitsOfUsd } from '../../../src/world/reserves.ts';
import {
  depositInVault,
  stakeOf,
  stakeShares,
  transferShares,
  unstakeShares,
  withdrawFromVault,
} from '../../../src/world/vault-engine.ts';
import { investVault } from '../../../src/world/vault-investing.ts';
import type { World } from '../../../src/world/world.ts';
import type { Concerned, EngineAndRuntime } from './engine-and-runtime.ts';
import type { ActionCase } from './lending-cases.ts';

const concernedBy = ({ allocations, farm }: Vault): Concerned => ({
  reserves: allocations.map(({ reserve }) => reserve),
  farms: [farm],
});

const usualVault = ({ world }: EngineAndRuntime, random: Random) =>
  random.pick(world.vaults.filter(({ spec }) => spec.size === 'usual'));

function amountWorth({ world, slot }: EngineAndRuntime, random: Random, { token }: Vault): bigint {
  const price = world.prices.priceSf(token, slot);
  return unitsOfUsd(token, random.magnitude(1, 50_000), price) + BigInt(random.below(1_000));
}

const held = (wallet: Wallet, vault: Vault) => wallet.holdings.get(vault.sharesMint.address)?.amount ?? 0n;

function holderOf(random: Random, vault: Vault, has: (wallet: Wallet) => boolean): Wallet | null {
  const holders = vault.holders.filter(has);
  return holders.length === 0 ? null : random.pick(holders);
}

const deposit =
  (stake: boolean): ActionCase =>
  (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = random.pick(subject.world.wallets);
    const amount = amountWorth(subject, random, vault);
    subject.fund(wallet, vault.token.mint, amount);
    return subject.compare(
      (world, slot) => depositInVault(world, vault, wallet, { maxAmount: amount, stakeToo: stake }, slot),
      () => concernedBy(vault),
    );
  };

const withdrawal =
  (shareOf: (random: Random, vault: Vault, wallet: Wallet) => bigint): ActionCase =>
  (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = holderOf(random, vault, (each) => held(each, vault) + stakeOf(vault, each) > 10_000n);
    if (wallet === null) return null;
    const shares = shareOf(random, vault, wallet);
    return subject.compare(
      (world, slot) => withdrawFromVault(world, vault, wallet, shares, slot),
      () => concernedBy(vault),
    );
  };

export const vaultCases: Readonly<Record<string, ActionCase>> = {
  'vault deposit': deposit(false),
  'vault deposit with a stake': deposit(true),

  'vault withdrawal': withdrawal((random, vault, wallet) =>
    random.share(held(wallet, vault) + stakeOf(vault, wallet), 1, 999),
  ),

  'vault withdrawal of everything': withdrawal(
    (_, vault, wallet) => held(wallet, vault) + stakeOf(vault, wallet),
  ),

  stake: (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = holderOf(random, vault, (each) => held(each, vault) > 1_000n);
    if (wallet === null) return null;
    const amount = random.share(held(wallet, vault), 10, 1_000);
    return subject.compare(
      (world, slot) => stakeShares(world, vault, wallet, amount, slot),
      () => concernedBy(vault),
    );
  },

  unstake: (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = holderOf(random, vault, (each) => stakeOf(vault, each) > 1_000n);
    if (wallet === null) return null;
    const amount = random.share(stakeOf(vault, wallet), 10, 1_000);
    return subject.compare(
      (world, slot) => unstakeShares(world, vault, wallet, amount, slot),
      () => concernedBy(vault),
    );
  },

  'transfer of shares': (subject, random) => {
    const vault = usualVault(subject, random);
    const from = holderOf(random, vault, (each) => held(each, vault) > 1_000n);
    if (from === null) return null;
    const to = random.pick(subject.world.wallets);
    const amount = random.share(held(from, vault), 10, 1_000);
    return subject.compare(
      (world, slot) => transferShares(world, vault, { from, to }, amount, slot),
      () => concernedBy(vault),
    );
  },

  claim: (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = holderOf(random, vault, (each) => stakeOf(vault, each) > 0n);
    const user = vault.farm && wallet?.stakes.get(vault.farm.address);
    if (wallet === null || !user) return null;
    const reward = random.pick(user.farm.rewards);
    return subject.compare(
      (world: World, slot) => claimReward(world, user, wallet, reward, slot),
      () => concernedBy(vault),
    );
  },

  investment: (subject, random) => {
    const vault = usualVault(subject, random);
    const wallet = random.pick(subject.world.wallets);
    const idle = amountWorth(subject, random, vault);
    subject.fund(wallet, vault.token.mint, idle);
    depositInVault(subject.world, vault, wallet, { maxAmount: idle, stakeToo: false }, subject.slot);
    return subject.compare(
      (world, slot) => investVault(world, vault, slot),
      () => concernedBy(vault),
    );
  },
};
