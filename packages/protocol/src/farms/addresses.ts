import type { Address } from '@solana/kit';
import { derive, seed } from '../layout/pda.ts';

/** The stake of a delegatee in a farm: a wallet in a vault's farm, an obligation in a reserve's farm. */
export const farmUserState = (farms: Address, farm: Address, delegatee: Address) =>
  derive(farms, 'user', seed(farm), seed(delegatee));

export const farmVault = (farms: Address, farm: Address, stakeMint: Address) =>
  derive(farms, 'fvault', seed(farm), seed(stakeMint));

export const farmAuthority = (farms: Address, farm: Address) => derive(farms, 'authority', seed(farm));

export const rewardVault = (farms: Address, farm: Address, rewardMint: Address) =>
  derive(farms, 'rvault', seed(farm), seed(rewardMint));

/** Where the program's own share of a reward goes. */
export const rewardTreasury = (farms: Address, globalConfig: Address, rewardMint: Address) =>
  derive(farms, 'tvault', seed(globalConfig), seed(rewardMint));
