import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { farmUserIn } from '../farms.ts';
import type { Allocation, Vault, Wallet } from '../model.ts';
import { itemAt, type Random } from '../prng.ts';
import { VAULT_SPECS } from '../vault-specs.ts';
import type { LiveWorld } from './live-world.ts';

/** A wallet deposits, withdraws, stakes, unstakes, transfers or claims. False when nothing came of it. */
export function actInVault(live: LiveWorld, random: Random, wallet: Wallet): boolean {
  const { vaults } = live.world;
  const known = live.vaultsOf(wallet);
  const isKnown = known.length > 0 && random.chance(80);
  const vault = isKnown
    ? random.pick(known)
    : itemAt(vaults, wallet.cell * VAULT_SPECS.length + random.below(VAULT_SPECS.length));
  if (vault.spec.size !== 'usual') return false;
  const held = live.shares(wallet, vault);
  switch (random.weighted([40, 25, 12, 12, 8, 6])) {
    case 0:
      return deposit(live, random, wallet, vault);
    case 1: {
      const shares = random.share(held + live.staked(wallet, vault), 20, 400);
      return shares > 0n && withdraw(live, wallet, vault, shares);
    }
    case 2: {
      const amount = random.share(held, 100, 900);
      const first = amount > 0n ? opensStake(live, wallet, vault) : null;
      return first !== null && live.act(wallet, { kind: 'stake', vault, amount, first });
    }
    case 3: {
      const amount = random.share(live.staked(wallet, vault), 50, 500);
      return amount > 0n && live.act(wallet, { kind: 'unstake', vault, amount });
    }
    case 5: {
      if (vault.farm === null || vault.farm.rewards.length === 0) return false;
      const user = farmUserIn(vault.farm, wallet);
      if (!live.exists(user.address)) return false;
      return live.act(wallet, { kind: 'claim', user, reward: random.pick(user.farm.rewards), amount: 0n });
    }
    default: {
      const to = random.pick(live.holdersOf(vault));
      const amount = random.share(held, 20, 300);
      if (to.reserved || to === wallet || amount === 0n) return false;
      if (!live.act(wallet, { kind: 'shareTransfer', vault, to, amount })) return false;
      live.remember(to, vault);
      return true;
    }
  }
}

function deposit(live: LiveWorld, random: Random, wallet: Wallet, vault: Vault): boolean {
  const maxAmount = random.share(live.spendable(wallet, vault.token.mint), 10, 250);
  if (maxAmount === 0n) return false;
  const first = random.chance(50) ? opensStake(live, wallet, vault) : null;
  const isDone = live.act(wallet, {
    kind: 'vaultDeposit',
    vault,
    maxAmount,
    tokens: 0n,
    crankFunds: 0n,
    shares: 0n,
    stake: first === null ? null : { amount: 0n, first },
  });
  if (isDone) live.remember(wallet, vault);
  return isDone;
}

/** From the idle tokens if they suffice, otherwise from the reserve in which the vault has invested most. */
function withdraw(live: LiveWorld, wallet: Wallet, vault: Vault, shares: bigint): boolean {
  const unstaked = atLeastZero(shares - live.shares(wallet, vault));
  const common = { kind: 'vaultWithdraw', vault, shares, burned: 0n, tokens: 0n, unstaked } as const;
  if (live.act(wallet, { ...common, from: null })) return true;
  const allocation = largest(live, vault);
  if (allocation === undefined) return false;
  return live.act(wallet, { ...common, from: { allocation, ctokens: 0n, liquidity: 0n } });
}

function largest(live: LiveWorld, { allocations }: Vault): Allocation | undefined {
  const amount = ({ holding }: Allocation) => live.tokens(holding.address);
  return allocations.reduce<Allocation | undefined>(
    (best, each) => (best === undefined || amount(each) > amount(best) ? each : best),
    undefined,
  );
}

/** Whether staking must open the wallet's account in the farm first; null when the vault has no farm. */
function opensStake(live: LiveWorld, wallet: Wallet, { farm }: Vault): boolean | null {
  if (farm === null) return null;
  return !live.exists(farmUserIn(farm, wallet).address);
}
