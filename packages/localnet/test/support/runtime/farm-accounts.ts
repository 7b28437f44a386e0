import { farmAuthority, farmUserState, farmVault } from '@sluice/protocol/farms/addresses';
import { type FarmState, farmState } from '@sluice/protocol/farms/farm-state';
import { type UserState, userState } from '@sluice/protocol/farms/user-state';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../../src/chain.ts';
import { labelledAddress } from '../../../src/world/prng.ts';
import type { ProgramBench } from './program-bench.ts';

const { farms } = MAINNET_PROGRAMS;
const U64_MAX = (1n << 64n) - 1n;

export type FarmFields = StructInput<typeof farmState.body.fields>;
export type UserFields = StructInput<typeof userState.body.fields>;
type RewardFields = NonNullable<FarmFields['rewardInfos']>[number];

/** An address that stands for the thing with this name. */
export const named = (name: string): Address => labelledAddress('farm-tests', name);

export const account = (owner: Address, data: Uint8Array, lamports = 10n ** 9n): StoredAccount => ({
  owner,
  lamports,
  data,
  executable: false,
});

export interface Rate {
  readonly from: bigint;
  /** Units per time unit, before the reward's decimals are divided out. */
  readonly rate: bigint;
}

export function rewardFields(rates: readonly Rate[], fields: RewardFields = {}): RewardFields {
  return {
    rewardsAvailable: 10n ** 15n,
    lastIssuanceTs: 0n,
    rewardScheduleCurve: {
      points: Array.from({ length: 20 }, (_, i) => ({
        tsStart: rates[i]?.from ?? U64_MAX,
        rewardPerTimeUnit: rates[i]?.rate ?? 0n,
      })),
    },
    ...fields,
  };
}

/** Puts a farm on the bench; by default it takes stakes of the mint `stake mint`. */
export function putFarm(
  bench: ProgramBench,
  name: string,
  rewards: readonly RewardFields[],
  fields: FarmFields = {},
): Address {
  const address = named(name);
  const mint = named('stake mint');
  const authority = farmAuthority(farms, address);
  const data = farmState.encode({
    token: { mint, decimals: 6n, tokenProgram: TOKEN_PROGRAM },
    globalConfig: named('global config'),
    rewardInfos: rewards,
    numRewardTokens: BigInt(rewards.length),
    farmVault: farmVault(farms, address, mint).address,
    farmVaultsAuthority: authority.address,
    farmVaultsAuthorityBump: BigInt(authority.bump),
    scopeOraclePriceId: U64_MAX,
    scopeOracleMaxAge: U64_MAX,
    ...fields,
  });
  bench.set(address, account(farms, data));
  return address;
}

export function putUser(
  bench: ProgramBench,
  farm: Address,
  owner: Address,
  fields: UserFields = {},
): Address {
  const { address, bump } = farmUserState(farms, farm, owner);
  const data = userState.encode({
    farmState: farm,
    owner,
    delegatee: owner,
    bump: BigInt(bump),
    ...fields,
  });
  bench.set(address, account(farms, data));
  return address;
}

export function readFarm(bench: ProgramBench, address: Address): FarmState {
  return farmState.decode(existing(bench, address), farms);
}

export function readUser(bench: ProgramBench, address: Address): UserState {
  return userState.decode(existing(bench, address), farms);
}

export function existing(bench: ProgramBench, address: Address): StoredAccount {
  const found = bench.get(address);
  if (found === undefined) throw new RangeError(`No account ${address}`);
  return found;
}
