import type { Address } from '@solana/kit';
import { WAD } from '../../../src/numeric/fraction.ts';
import { farmUserState } from '../../../src/programs/farms/addresses.ts';
import { farmState, farmToken, rewardInfo } from '../../../src/programs/farms/farm-state.ts';
import { userState } from '../../../src/programs/farms/user-state.ts';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { addressBytes } from '../../../src/programs/layout/base58.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
import { testAddress } from '../ledger/fake-ledger.ts';
import { accountIn, type TestLedger, withFields } from '../ledger/test-ledger.ts';

const { farms, kvault } = MAINNET_PROGRAMS;

export interface Standalone {
  readonly farm: Address;
  readonly stake: Address;
}

/** The farm of the demo vault. */
export function vaultFarmOf(ledger: TestLedger): Address {
  return vaultState.decode(accountIn(ledger, ledger.addresses.vault), kvault).vaultFarm;
}

/**
 * A farm that belongs to no vault and no reserve, with a stake of the demo wallet. It has the rewards of the demo vault's
 * farm, the first of them constant per staked unit and with something to claim.
 *
 * @param baseUnits what the wallet has staked
 */
export function addStandaloneFarm(
  ledger: TestLedger,
  seed: number,
  token: { readonly mint: Address; readonly decimals: number },
  baseUnits: bigint,
): Standalone {
  const { wallet } = ledger.addresses;
  const [source, farm] = [vaultFarmOf(ledger), testAddress(seed)];
  const like = accountIn(ledger, source);
  const data = like.data.slice();
  data.set(addressBytes(token.mint), farmState.offsetOf('token') + farmToken.offsets.mint);
  new DataView(data.buffer).setBigUint64(
    farmState.offsetOf('token') + farmToken.offsets.decimals,
    BigInt(token.decimals),
    true,
  );
  data[farmState.offsetOf('rewardInfos') + rewardInfo.offsets.rewardType] = 1;
  ledger.place(farm, { ...like, data });
  const stake = farmUserState(farms, farm, wallet).address;
  const stakeLike = accountIn(ledger, farmUserState(farms, source, wallet).address);
  ledger.place(
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
export function cutShort(ledger: TestLedger, address: Address): void {
  const account = accountIn(ledger, address);
  ledger.place(address, { ...account, data: account.data.slice(0, -1) });
}
