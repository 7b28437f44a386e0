import { farmAuthority, rewardTreasury } from '@sluice/protocol/farms/addresses';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import type { MintModel } from './model.ts';
import { labelledAddress } from './prng.ts';
import { addHolding, newHolding } from './token-accounts.ts';

const { farms } = MAINNET_PROGRAMS;

export function farmGlobalConfig(seed: string): Address {
  return labelledAddress(seed, 'farm-global-config');
}

/** The account for the program's own share of a reward. */
export function farmTreasury(seed: string, mint: MintModel): Address {
  return rewardTreasury(farms, farmGlobalConfig(seed), mint.address).address;
}

/** The program's settings. It takes no share of the rewards of this world. */
export function addFarmGlobalConfig(store: AccountStore, seed: string): void {
  const authority = farmAuthority(farms, farmGlobalConfig(seed));
  store.add({
    address: farmGlobalConfig(seed),
    owner: farms,
    encode: () =>
      globalConfig.encode({
        globalAdmin: labelledAddress(seed, 'farm-admin'),
        treasuryVaultsAuthority: authority.address,
        treasuryVaultsAuthorityBump: BigInt(authority.bump),
      }),
  });
}

/** One per reward mint, shared by all farms. */
export function addFarmTreasury(store: AccountStore, seed: string, mint: MintModel): void {
  const address = farmTreasury(seed, mint);
  if (store.has(address)) return;
  addHolding(store, newHolding(address, mint, farmAuthority(farms, farmGlobalConfig(seed)).address));
}
