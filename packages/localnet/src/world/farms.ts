import { farmState, farmToken, MAX_REWARDS, rewardInfo } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { derive } from '@sluice/protocol/layout/pda';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountStore } from '../runtime/account-store.ts';
import { putAddresses } from './address-bytes.ts';
import { farmGlobalConfig } from './farm-treasury.ts';
import type { Farm, FarmUser, MintModel, Reward, Token, Vault, Wallet } from './model.ts';
import { labelledAddress, type Random } from './prng.ts';
import { newHolding } from './token-accounts.ts';

const { farms } = MAINNET_PROGRAMS;
const DAY = 86_400;

/** Purpose of a farm: staked vault shares, or reserve positions reported by the lending program. */
export interface FarmPurpose {
  readonly label: string;
  readonly stakeMint: MintModel | null;
  readonly delegateAuthority: Address | null;
  readonly vault: Vault | null;
}

export function createFarm(
  seed: string,
  purpose: FarmPurpose,
  rewardTokens: readonly Token[],
  random: Random,
  startTime: number,
): Farm {
  const address = labelledAddress(seed, 'farm', purpose.label);
  const key = addressBytes(address);
  const authority = derive(farms, 'authority', key);
  const { stakeMint } = purpose;
  const vaultAddress =
    stakeMint === null ? NO_ADDRESS : derive(farms, 'fvault', key, addressBytes(stakeMint.address)).address;
  return {
    address,
    stakeMint,
    holding: stakeMint === null ? null : newHolding(vaultAddress, stakeMint, authority.address),
    vaultAddress,
    authority: authority.address,
    authorityBump: authority.bump,
    delegateAuthority: purpose.delegateAuthority,
    vault: purpose.vault,
    rewards: rewardTokens.map((token) => createReward(key, authority.address, token, random, startTime)),
    totalStaked: 0n,
    userCount: 0,
  };
}

/** USD per whole token at genesis; a token with a base is priced as a rate on top of it. */
function startingPriceUsd({ feed, base }: Token): number {
  const figure = Number(feed.start) / 10 ** feed.exponent;
  return base === null ? figure : figure * startingPriceUsd(base);
}

const RATE_DECIMALS = 3;

/** A budget that lasts for years, with one past and one future rate change; one in eight is exhausted. */
function createReward(
  farm: Uint8Array,
  authority: Address,
  token: Token,
  random: Random,
  startTime: number,
): Reward {
  const perDayUsd = random.magnitude(20, 2000);
  const perDayUnits = (perDayUsd / startingPriceUsd(token)) * 10 ** token.mint.decimals;
  const rate = BigInt(Math.max(1, Math.round((perDayUnits * 10 ** RATE_DECIMALS) / DAY)));
  const days = random.chance(12) ? 40n : 3000n;
  const address = derive(farms, 'rvault', farm, addressBytes(token.mint.address)).address;
  const reward: Reward = {
    token,
    holding: newHolding(address, token.mint, authority),
    points: [
      { start: startTime, rate },
      { start: startTime + 150 * DAY, rate: (rate * BigInt(random.between(600, 1500))) / 1000n },
      { start: startTime + 1200 * DAY, rate: rate / 2n },
    ],
    rateDecimals: RATE_DECIMALS,
    constant: false,
    available: (rate * BigInt(DAY) * days) / 10n ** BigInt(RATE_DECIMALS),
    lastIssuanceTime: startTime,
    issuedUnclaimed: 0n,
    issuedCumulative: 0n,
    perShareScaled: 0n,
  };
  reward.holding.amount = reward.available;
  return reward;
}

/** The farms program scales the stakes it holds, but not those reported by the lending program. */
function stakeScale({ delegateAuthority }: Farm): bigint {
  return delegateAuthority === null ? WAD : 1n;
}

type FarmFields = StructInput<typeof farmState.body.fields>;

export function addFarm(store: AccountStore, seed: string, farm: Farm): void {
  store.add({
    address: farm.address,
    owner: farms,
    encode(previous) {
      const data = previous?.slice() ?? farmState.encode(fixedFields(farm));
      farmState.body.write(viewOf(data), 8, movingFields(farm));
      if (previous === undefined) putAddresses(data, addressesOf(seed, farm));
      return data;
    },
  });
}

function fixedFields(farm: Farm): FarmFields {
  return {
    token: { decimals: BigInt(farm.stakeMint?.decimals ?? 0) },
    numRewardTokens: BigInt(farm.rewards.length),
    farmVaultsAuthorityBump: BigInt(farm.authorityBump),
    isFarmDelegated: farm.delegateAuthority === null ? 0 : 1,
    isHarvestingPermissionless: 1,
    depositCapAmount: U64_MAX,
    scopeOraclePriceId: U64_MAX,
  };
}

function movingFields(farm: Farm): FarmFields {
  return {
    rewardInfos: farm.rewards.map((reward) => ({
      token: { decimals: BigInt(reward.token.mint.decimals) },
      rewardsAvailable: reward.available,
      rewardScheduleCurve: {
        points: Array.from({ length: 20 }, (_, i) => ({
          tsStart: BigInt(reward.points[i]?.start ?? U64_MAX),
          rewardPerTimeUnit: reward.points[i]?.rate ?? 0n,
        })),
      },
      lastIssuanceTs: BigInt(reward.lastIssuanceTime),
      rewardsIssuedUnclaimed: reward.issuedUnclaimed,
      rewardsIssuedCumulative: reward.issuedCumulative,
      rewardPerShareScaled: reward.perShareScaled,
      rewardType: reward.constant ? 1 : 0,
      rewardsPerSecondDecimals: reward.rateDecimals,
    })),
    numUsers: BigInt(farm.userCount),
    totalStakedAmount: farm.totalStaked,
    totalActiveStakeScaled: farm.totalStaked * stakeScale(farm),
  };
}

function* addressesOf(seed: string, farm: Farm): Iterable<readonly [number, Address]> {
  const admin = labelledAddress(seed, 'farm-admin');
  yield [farmState.offsetOf('farmAdmin'), admin];
  yield [farmState.offsetOf('globalConfig'), farmGlobalConfig(seed)];
  yield [farmState.offsetOf('withdrawAuthority'), admin];
  yield [farmState.offsetOf('farmVault'), farm.vaultAddress];
  yield [farmState.offsetOf('farmVaultsAuthority'), farm.authority];
  if (farm.delegateAuthority !== null) {
    yield [farmState.offsetOf('delegateAuthority'), farm.delegateAuthority];
  }
  if (farm.vault !== null) yield [farmState.offsetOf('vaultId'), farm.vault.address];
  if (farm.stakeMint !== null) {
    yield [farmState.offsetOf('token') + farmToken.offsets.mint, farm.stakeMint.address];
    yield [farmState.offsetOf('token') + farmToken.offsets.tokenProgram, farm.stakeMint.program];
  }
  for (const [i, reward] of farm.rewards.entries()) {
    const start = farmState.offsetOf('rewardInfos') + i * rewardInfo.size;
    yield [start + rewardInfo.offsets.token + farmToken.offsets.mint, reward.token.mint.address];
    yield [start + rewardInfo.offsets.token + farmToken.offsets.tokenProgram, reward.token.mint.program];
    yield [start + rewardInfo.offsets.rewardsVault, reward.holding.address];
  }
}

/** A new, empty stake, opened at `time` (unix seconds). */
export function createFarmUser(farm: Farm, owner: Address, delegatee: Address, time: number): FarmUser {
  const derived = derive(farms, 'user', addressBytes(farm.address), addressBytes(delegatee));
  return {
    address: derived.address,
    bump: derived.bump,
    farm,
    owner,
    delegatee,
    id: farm.userCount,
    stake: 0n,
    talliesScaled: farm.rewards.map(() => 0n),
    unclaimed: farm.rewards.map(() => 0n),
    cumulative: farm.rewards.map(() => 0n),
    lastStakeTime: 0,
    lastUnstakeTime: 0,
    lastClaimTimes: new Array<number>(MAX_REWARDS).fill(time),
  };
}

/** The wallet's own stake; a new one if it has none, which then has no account yet. */
export const farmUserIn = (farm: Farm, { address, stakes }: Wallet): FarmUser =>
  stakes.get(farm.address) ?? createFarmUser(farm, address, address, 0);

export function addFarmUser(store: AccountStore, user: FarmUser): void {
  user.farm.userCount += 1;
  store.add({
    address: user.address,
    owner: farms,
    encode() {
      const data = userState.encode({
        userId: BigInt(user.id),
        isFarmDelegated: user.farm.delegateAuthority === null ? 0 : 1,
        rewardsTallyScaled: user.talliesScaled,
        rewardsIssuedUnclaimed: user.unclaimed,
        activeStakeScaled: user.stake * stakeScale(user.farm),
        bump: BigInt(user.bump),
        lastStakeTs: BigInt(user.lastStakeTime),
        rewardsIssuedCumulative: user.cumulative,
        pendingWithdrawalUnstakeTs: BigInt(user.lastUnstakeTime),
        lastClaimTs: user.lastClaimTimes.map(BigInt),
      });
      putAddresses(data, [
        [userState.offsetOf('farmState'), user.farm.address],
        [userState.offsetOf('owner'), user.owner],
        [userState.offsetOf('delegatee'), user.delegatee],
      ]);
      return data;
    },
  });
}
