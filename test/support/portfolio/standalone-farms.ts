import { farmUserState } from '@sluice/protocol/farms/addresses';
import { farmState, farmToken, rewardInfo } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { WAD } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { testAddress } from '../../../packages/localnet/test/support/chain/fake-chain.ts';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';

const { farms, kvault } = MAINNET_PROGRAMS;

export interface Standalone {
  readonly farm: Address;
  readonly stake: Address;
}

/** The farm of the example vault. */
export function vaultFarmOf(localChain: TestChain): Address {
  return vaultState.decode(accountIn(localChain, localChain.addresses.vault), kvault).vaultFarm;
}

/**
 * A farm that belongs to no vault and no reserve, with a stake of the localnet wallet. It has the rewards of the example vault's
 * farm, the first of them constant per staked unit and with something to claim.
 *
 * @param baseUnits what the wallet has staked
 * @param strategy the liquidity strategy that the farm names
 */
export function addStandaloneFarm(
  localChain: TestChain,
  seed: number,
  token: { readonly mint: Address; readonly decimals: number },
  baseUnits: bigint,
  strategy: Address | null = null,
): Standalone {
  const { wallet } = localChain.addresses;
  const [source, farm] = [vaultFarmOf(localChain), testAddress(seed)];
  const like = accountIn(localChain, source);
  const data = like.data.slice();
  data.set(addressBytes(token.mint), farmState.offsetOf('token') + farmToken.offsets.mint);
  new DataView(data.buffer).setBigUint64(
    farmState.offsetOf('token') + farmToken.offsets.decimals,
    BigInt(token.decimals),
    true,
  );
  data[farmState.offsetOf('rewardInfos') + rewardInfo.offsets.rewardType] = 1;
  if (strategy !== null) data.set(addressBytes(strategy), farmState.offsetOf('strategyId'));
  localChain.place(farm, { ...like, data });
  const stake = farmUserState(farms, farm, wallet).address;
  const stakeLike = accountIn(localChain, farmUserState(farms, source, wallet).address);
  localChain.place(
    stake,
    withFields(userState, stakeLike, {
      farmState: farm,
      activeStakeScaled: baseUnits * WAD,
      rewardsIssuedUnclaimed: [1_000_000n],
    }),
  );
  return { farm, stake };
}

/** The same account with a byte less than its layout needs. */
export function cutShort(localChain: TestChain, address: Address): void {
  const account = accountIn(localChain, address);
  localChain.place(address, { ...account, data: account.data.slice(0, -1) });
}
