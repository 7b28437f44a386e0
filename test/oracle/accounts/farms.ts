import {
  FarmState,
  type FarmStateFields,
} from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
import {
  UserState,
  type UserStateFields,
} from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/UserState.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, U64_MAX, UNIX_SECONDS, WAD } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Farm = Overrides<FarmStateFields>;
type Reward = NonNullable<Farm['rewardInfos']>[number];

/** The program ends a schedule with points that start at the end of time. */
const END_OF_TIME = { tsStart: bn(U64_MAX), rewardPerTimeUnit: bn(0) };

const schedule = (prng: Prng, points: number) => ({
  points: Array.from({ length: 20 }, (_, index) =>
    index < points
      ? {
          tsStart: bn(UNIX_SECONDS - 1_000_000n + BigInt(index) * 500_000n),
          rewardPerTimeUnit: bn(prng.between(0n, 10n ** 9n)),
        }
      : END_OF_TIME,
  ),
});

const reward = (prng: Prng, points: number, rewardType: number): Reward => ({
  token: { mint: prng.address(), decimals: bn(prng.int(5, 9)), tokenProgram: TOKEN_PROGRAM },
  rewardsVault: prng.address(),
  rewardsAvailable: bn(prng.between(0n, 10n ** 14n)),
  rewardScheduleCurve: schedule(prng, points),
  minClaimDurationSeconds: bn(3_600),
  lastIssuanceTs: bn(UNIX_SECONDS - 100n),
  rewardsIssuedUnclaimed: bn(prng.between(0n, 10n ** 12n)),
  rewardsIssuedCumulative: bn(prng.between(0n, 10n ** 14n)),
  rewardPerShareScaled: bn(prng.between(0n, WAD * 1_000n)),
  rewardType,
  rewardsPerSecondDecimals: prng.int(0, 6),
});

const farm = (prng: Prng, rewards: number): Farm => ({
  farmAdmin: prng.address(),
  globalConfig: prng.address(),
  token: { mint: prng.address(), decimals: bn(6), tokenProgram: TOKEN_PROGRAM },
  rewardInfos: Array.from({ length: rewards }, (_, index) =>
    reward(prng, Math.min(index * 2 + 1, 20), index % 2),
  ),
  numRewardTokens: bn(rewards),
  numUsers: bn(4_321),
  totalStakedAmount: bn(9_876_543_210_987n),
  farmVault: prng.address(),
  farmVaultsAuthority: prng.address(),
  farmVaultsAuthorityBump: bn(255),
  withdrawAuthority: prng.address(),
  totalActiveStakeScaled: bn(9_876_543_210_987n * WAD),
  depositCapAmount: bn(U64_MAX),
  scopeOraclePriceId: bn(U64_MAX),
  delegatedRpsAdmin: prng.address(),
});

const farms: CaseInput<FarmStateFields>[] = [
  { name: 'no rewards', note: 'nothing to earn', fields: (prng) => farm(prng, 0) },
  { name: 'one reward', note: 'one token, one point in its curve', fields: (prng) => farm(prng, 1) },
  {
    name: 'ten rewards',
    note: 'one to nineteen points in the curves, both reward types',
    fields: (prng) => farm(prng, 10),
  },
  {
    name: 'full curve',
    note: 'one reward whose curve uses all twenty points',
    fields: (prng) => ({ ...farm(prng, 0), rewardInfos: [reward(prng, 20, 0)], numRewardTokens: bn(1) }),
  },
  {
    name: 'delegated',
    note: 'stakes are set by the lending program, time counts in slots, prices from scope',
    fields: (prng) => ({
      ...farm(prng, 2),
      token: { mint: SYSTEM_PROGRAM, decimals: bn(0) },
      delegateAuthority: prng.address(),
      secondDelegatedAuthority: prng.address(),
      timeUnit: 1,
      isFarmDelegated: 1,
      isFarmFrozen: 1,
      isRewardUserOnceEnabled: 1,
      isHarvestingPermissionless: 1,
      scopePrices: prng.address(),
      scopeOraclePriceId: bn(42),
      scopeOracleMaxAge: bn(60),
      strategyId: prng.address(),
      vaultId: prng.address(),
    }),
  },
  {
    name: 'locked with cooldown',
    note: 'warm-up, cooldown, locking and slashing are set',
    fields: (prng) => ({
      ...farm(prng, 1),
      depositWarmupPeriod: 4_294_967_295,
      withdrawalCooldownPeriod: 604_800,
      totalPendingStakeScaled: bn(77n * WAD),
      totalPendingAmount: bn(77),
      slashedAmountCurrent: bn(5),
      slashedAmountCumulative: bn(6),
      slashedAmountSpillAddress: prng.address(),
      lockingMode: bn(2),
      lockingStartTimestamp: bn(UNIX_SECONDS),
      lockingDuration: bn(2_592_000),
      lockingEarlyWithdrawalPenaltyBps: bn(2_500),
      pendingFarmAdmin: prng.address(),
    }),
  },
];

const user = (prng: Prng): Overrides<UserStateFields> => ({
  userId: bn(17),
  farmState: prng.address(),
  owner: prng.address(),
  bump: bn(254),
  lastStakeTs: bn(UNIX_SECONDS - 5_000n),
});

const users: CaseInput<UserStateFields>[] = [
  {
    name: 'own stake',
    note: 'not delegated: the delegatee is the owner',
    fields: (prng) => {
      const owner = prng.address();
      return {
        ...user(prng),
        owner,
        delegatee: owner,
        rewardsTallyScaled: Array.from({ length: 10 }, () => bn(prng.bits(80))),
        rewardsIssuedUnclaimed: Array.from({ length: 10 }, () => bn(prng.bits(40))),
        lastClaimTs: Array.from({ length: 10 }, () => bn(UNIX_SECONDS - prng.between(0n, 10_000n))),
        activeStakeScaled: bn(123_456_789n * WAD),
        rewardsIssuedCumulative: Array.from({ length: 10 }, () => bn(prng.bits(48))),
      };
    },
  },
  {
    name: 'delegated',
    note: 'the delegatee is an obligation',
    fields: (prng) => ({
      ...user(prng),
      isFarmDelegated: 1,
      delegatee: prng.address(),
      activeStakeScaled: bn(5n * WAD + 1n),
    }),
  },
  {
    name: 'zero stake',
    note: 'opened, nothing staked',
    fields: (prng) => ({ ...user(prng), delegatee: prng.address() }),
  },
  {
    name: 'pending',
    note: 'a deposit warms up, an unstake cools down',
    fields: (prng) => ({
      ...user(prng),
      delegatee: prng.address(),
      activeStakeScaled: bn(10n * WAD),
      pendingDepositStakeScaled: bn(3n * WAD),
      pendingDepositStakeTs: bn(UNIX_SECONDS + 60n),
      pendingWithdrawalUnstakeScaled: bn(2n * WAD),
      pendingWithdrawalUnstakeTs: bn(UNIX_SECONDS + 120n),
    }),
  },
];

export const farmVectors = () => [
  anchorAccount('farms-farm-state', 'FarmState', 'farms', FarmState, farms),
  anchorAccount('farms-user-state', 'UserState', 'farms', UserState, users),
];
