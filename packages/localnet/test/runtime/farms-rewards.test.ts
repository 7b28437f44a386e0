import {
  farmAuthority,
  farmUserState,
  farmVault,
  rewardTreasury,
  rewardVault,
} from '@sluice/protocol/farms/addresses';
import { refreshFarm, stake, unstake, withdrawUnstakedDeposits } from '@sluice/protocol/farms/instructions';
import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import {
  MAINNET_PROGRAMS,
  SCOPE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../src/world/prng.ts';
import {
  account,
  type FarmFields,
  named,
  putFarm,
  putUser,
  type Rate,
  readFarm,
  readUser,
  rewardFields,
} from '../support/runtime/farm-accounts.ts';
import { FarmBench, GLOBAL_CONFIG, REWARD_MINT, STAKE_MINT } from '../support/runtime/farm-bench.ts';

const { farms } = MAINNET_PROGRAMS;
const WAD = 10n ** 18n;
const alice = named('alice');
const bob = named('bob');
const FURTHER: AccountMeta[] = [{ address: SYSTEM_PROGRAM, role: AccountRole.READONLY }];
const BUDGET = 1_000_000n;

let bench: FarmBench;
let farm: Address;

const stateOf = (owner: Address) => farmUserState(farms, farm, owner).address;
const user = (owner: Address) => readUser(bench, stateOf(owner));
const reward = () => readFarm(bench, farm).rewardInfos[0];
const rewardsOf = (owner: Address) => named(`rewards of ${owner}`);

type RewardTerms = NonNullable<FarmFields['rewardInfos']>[number];

/** A farm with one reward, in which Alice has staked 100 units since second 0. */
function open(rates: readonly Rate[], terms: RewardTerms = {}, fields: FarmFields = {}): void {
  farm = named('farm');
  const rewardsVault = rewardVault(farms, farm, REWARD_MINT).address;
  const token = { mint: REWARD_MINT, decimals: 6n, tokenProgram: TOKEN_PROGRAM };
  const first = rewardFields(rates, { token, rewardsVault, rewardsAvailable: BUDGET, ...terms });
  putFarm(bench, 'farm', [first], {
    totalStakedAmount: 100n,
    totalActiveStakeScaled: 100n * WAD,
    ...fields,
  });
  bench.vaults(farm, farmAuthority(farms, farm).address, 100n, BUDGET);
  putUser(bench, farm, alice, { activeStakeScaled: 100n * WAD });
}

const CONSTANT_RATE: readonly Rate[] = [{ from: 0n, rate: 10n }];

beforeEach(() => {
  bench = new FarmBench();
  for (const owner of [alice, bob]) bench.tokens(rewardsOf(owner), REWARD_MINT, owner, 0n);
  open(CONSTANT_RATE);
});

type HarvestAccounts = Partial<Parameters<typeof harvestReward.encode>[1]>;

const harvestOf = (
  owner: Address,
  accounts: HarvestAccounts = {},
  rewardIndex = 0n,
  remaining?: AccountMeta[],
) =>
  harvestReward.encode(
    farms,
    {
      payer: owner,
      userState: stateOf(owner),
      farmState: farm,
      globalConfig: GLOBAL_CONFIG,
      rewardMint: REWARD_MINT,
      userRewardTokenAccount: rewardsOf(owner),
      rewardsVault: rewardVault(farms, farm, REWARD_MINT).address,
      rewardsTreasuryVault: bench.treasury,
      farmVaultsAuthority: farmAuthority(farms, farm).address,
      scopePrices: null,
      tokenProgram: TOKEN_PROGRAM,
      ...accounts,
    },
    { rewardIndex },
    remaining,
  );

const refresh = (scopePrices: Address | null = null) =>
  refreshFarm.encode(farms, { farmState: farm, scopePrices }, {});

describe('issuance', () => {
  it('follows every rate of the schedule for its own time', () => {
    open([
      { from: 0n, rate: 10n },
      { from: 10n, rate: 3n },
      { from: 20n, rate: 0n },
      { from: 50n, rate: 7n },
    ]);
    bench.at(55n);
    bench.accept(refresh());
    expect(reward()?.rewardsIssuedUnclaimed).toBe(100n + 30n + 0n + 35n);
    expect(reward()?.rewardPerShareScaled).toBe((165n * WAD) / 100n);
  });

  it('is the same in one step and in many', () => {
    const rates = [
      { from: 0n, rate: 10n },
      { from: 13n, rate: 4n },
    ];
    open(rates);
    for (let t = 1n; t <= 40n; t += 1n) {
      bench.at(t);
      bench.accept(refresh());
    }
    expect(reward()?.rewardsIssuedUnclaimed).toBe(130n + 108n);
  });

  it('keeps the time while less than one unit is due', () => {
    open([{ from: 0n, rate: 3n }], { rewardsPerSecondDecimals: 2 });
    bench.at(33n);
    bench.accept(refresh());
    expect(reward()).toMatchObject({ rewardsIssuedUnclaimed: 0n, lastIssuanceTs: 0n });
    bench.at(34n);
    bench.accept(refresh());
    expect(reward()).toMatchObject({ rewardsIssuedUnclaimed: 1n, lastIssuanceTs: 34n });
  });

  it('pays a constant reward per staked unit', () => {
    open([{ from: 0n, rate: 2n }], { rewardType: 1, rewardsPerSecondDecimals: 1 });
    bench.at(5n);
    bench.accept(refresh());
    expect(reward()?.rewardsIssuedUnclaimed).toBe(100n);
  });

  it('counts slots in a farm of slots', () => {
    open(CONSTANT_RATE, {}, { timeUnit: 1 });
    bench.at(5n);
    bench.accept(refresh());
    expect(reward()).toMatchObject({ rewardsIssuedUnclaimed: 100n, lastIssuanceTs: 10n });
  });

  it('multiplies by the oracle price where one is configured', () => {
    const prices = named('prices');
    const entry = { price: { value: 250n, exp: 2n }, unixTimestamp: 4n };
    const data = oraclePrices.encode({ prices: [{}, {}, {}, entry] });
    bench.set(prices, account(SCOPE_PROGRAM, data));
    const oracle = { scopePrices: prices, scopeOraclePriceId: 3n, scopeOracleMaxAge: 6n };
    open([{ from: 0n, rate: 11n }], {}, oracle);
    bench.at(3n);
    // A price from the future overflows the program's age.
    expect(bench.outcome(refresh(prices))).toBe('ProgramFailedToComplete');
    bench.at(10n);
    expect(bench.outcome(refresh())).toBe(6048);
    bench.set(named('other prices'), account(SCOPE_PROGRAM, data));
    expect(bench.outcome(refresh(named('other prices')))).toBe(6048);
    expect(bench.outcome(refresh(alice))).toBe(3007);
    bench.accept(refresh(prices));
    expect(reward()?.rewardsIssuedUnclaimed).toBe(275n);
    bench.at(11n);
    expect(bench.outcome(refresh(prices))).toBe(6047);
  });

  it('refuses a schedule that begins after the last issuance', () => {
    open([{ from: 5n, rate: 10n }]);
    bench.at(6n);
    expect(bench.outcome(refresh())).toBe(6043);
    open(CONSTANT_RATE, { lastIssuanceTs: 7n });
    expect(bench.outcome(refresh())).toBe(6044);
    open(CONSTANT_RATE);
    const remaining = refreshFarm.encode(farms, { farmState: farm, scopePrices: null }, {}, FURTHER);
    expect(bench.outcome(remaining)).toBe(6014);
  });
});

describe('harvestReward', () => {
  it('pays the staker and the treasury', () => {
    bench.treasuryFee(1_500n);
    bench.at(33n);
    bench.accept(harvestOf(alice));
    // 330 earned, 49.5 for the treasury rounded down.
    expect(bench.balance(rewardsOf(alice))).toBe(281n);
    expect(bench.balance(bench.treasury)).toBe(49n);
    expect(bench.balance(rewardVault(farms, farm, REWARD_MINT).address)).toBe(BUDGET - 330n);
    expect(user(alice).lastClaimTs[0]).toBe(33n);
    expect(user(alice).rewardsIssuedUnclaimed[0]).toBe(0n);
    expect(user(alice).rewardsIssuedCumulative[0]).toBe(330n);
    expect(reward()).toMatchObject({ rewardsIssuedUnclaimed: 0n, rewardsIssuedCumulative: 330n });
  });

  it('pays nothing twice in one second and leaves the time of the claim', () => {
    bench.at(3n);
    bench.accept(harvestOf(alice), harvestOf(alice));
    expect(bench.balance(rewardsOf(alice))).toBe(30n);
  });

  it('waits for the minimum time between claims', () => {
    open(CONSTANT_RATE, { minClaimDurationSeconds: 60n });
    bench.at(59n);
    expect(bench.outcome(harvestOf(alice))).toBe(6017);
    bench.at(60n);
    bench.accept(harvestOf(alice));
    bench.at(119n);
    expect(bench.outcome(harvestOf(alice))).toBe(6017);
  });

  it('lets others pay for a harvest only where the farm allows it', () => {
    bench.at(1n);
    expect(bench.outcome(harvestOf(alice, { payer: bob }))).toBe(6066);
    open(CONSTANT_RATE, {}, { isHarvestingPermissionless: 1 });
    bench.accept(harvestOf(alice, { payer: bob }));
    expect(bench.balance(rewardsOf(alice))).toBe(10n);
    // Not to the payer's own account.
    expect(bench.outcome(harvestOf(alice, { payer: bob, userRewardTokenAccount: rewardsOf(bob) }))).toBe(
      2015,
    );
  });

  it('refuses wrong accounts', () => {
    bench.at(1n);
    const outcome = (accounts: HarvestAccounts) => bench.outcome(harvestOf(alice, accounts));
    bench.tokens(named('stray'), REWARD_MINT, bob, 0n);
    bench.tokens(named('stake tokens'), STAKE_MINT, alice, 0n);
    expect(outcome({ rewardsVault: named('stray') })).toBe(2006);
    expect(outcome({ rewardsTreasuryVault: named('stray') })).toBe(2006);
    expect(outcome({ userRewardTokenAccount: named('stake tokens') })).toBe(2014);
    expect(outcome({ userRewardTokenAccount: named('none') })).toBe(3012);
    expect(outcome({ tokenProgram: TOKEN_2022_PROGRAM })).toBe(2021);
    expect(outcome({ tokenProgram: SYSTEM_PROGRAM })).toBe(3008);
    expect(outcome({ farmVaultsAuthority: bob })).toBe(2001);
    expect(outcome({ globalConfig: bob })).toBe(3007);
    expect(outcome({ userState: named('none') })).toBe(3007);
    expect(bench.outcome(harvestOf(alice, {}, 0n, FURTHER))).toBe(6014);
    expect(bench.outcome(harvestOf(alice, {}, 1n))).toBe(6009);
    expect(bench.outcome(harvestOf(alice, {}, 10n))).toBe('ProgramFailedToComplete');
  });

  it('refuses a reward whose mint charges for transfers or has unknown extensions', () => {
    const mint = named('reward mint 2022');
    const tokenProgram = TOKEN_2022_PROGRAM;
    const rewardsVault = rewardVault(farms, farm, mint).address;
    const rewardsTreasuryVault = rewardTreasury(farms, GLOBAL_CONFIG, mint).address;
    const accounts = {
      rewardMint: mint,
      rewardsVault,
      rewardsTreasuryVault,
      tokenProgram,
      userRewardTokenAccount: named('tokens 2022'),
    };
    const authority = farmAuthority(farms, farm).address;
    bench.tokens(rewardsVault, mint, authority, BUDGET, { tokenProgram });
    bench.tokens(rewardsTreasuryVault, mint, bob, 0n, { tokenProgram });
    bench.tokens(named('tokens 2022'), mint, alice, 0n, { tokenProgram });
    open(CONSTANT_RATE, { rewardsVault });
    bench.at(2n);
    const fee = new Uint8Array(108);
    const charging = fee.slice();
    charging[106] = 1;
    for (const [extension, outcome] of [
      [{ type: 3, data: new Uint8Array(32) }, null],
      [{ type: 9, data: new Uint8Array(0) }, 6053],
      [{ type: 14, data: new Uint8Array(64).fill(1) }, 6053],
      [{ type: 6, data: Uint8Array.of(2) }, 6053],
      [{ type: 1, data: charging }, 6053],
    ] as const) {
      bench.mint(mint, TOKEN_2022_PROGRAM, [extension]);
      expect(bench.outcome(harvestOf(alice, accounts)), `extension ${extension.type}`).toBe(outcome);
    }
    expect(bench.balance(named('tokens 2022'))).toBe(20n);
  });
});

it('conserves stakes and rewards over random transactions', () => {
  const owners = [alice, bob, named('carol'), named('dave')];
  farm = named('farm');
  const rewardsVault = rewardVault(farms, farm, REWARD_MINT).address;
  const vault = farmVault(farms, farm, STAKE_MINT).address;
  const rates = [
    { from: 0n, rate: 12_345n },
    { from: 200n, rate: 777n },
  ];
  putFarm(
    bench,
    'farm',
    [rewardFields(rates, { rewardsVault, rewardsAvailable: BUDGET, rewardsPerSecondDecimals: 3 })],
    {
      depositWarmupPeriod: 3,
      withdrawalCooldownPeriod: 4,
      lockingMode: 1n,
      lockingDuration: 9n,
      lockingEarlyWithdrawalPenaltyBps: 300n,
    },
  );
  const authority = farmAuthority(farms, farm).address;
  bench.vaults(farm, authority, 0n, BUDGET);
  bench.treasuryFee(700n);
  for (const owner of owners) {
    putUser(bench, farm, owner);
    bench.tokens(named(`stake of ${owner}`), STAKE_MINT, owner, 1_000_000n);
    bench.tokens(rewardsOf(owner), REWARD_MINT, owner, 0n);
  }
  const random = new Random('farm-tests');
  let accepted = 0;
  for (let second = 1n; second <= 500n; second += 1n) {
    bench.at(second);
    const owner = random.pick(owners);
    const common = { owner, userState: stateOf(owner), farmState: farm };
    const tokenAccounts = {
      ...common,
      userAta: named(`stake of ${owner}`),
      farmVault: vault,
      tokenProgram: TOKEN_PROGRAM,
    };
    const instruction = random.pick([
      () =>
        stake.encode(
          farms,
          { ...tokenAccounts, tokenMint: STAKE_MINT, scopePrices: null },
          { amount: BigInt(random.between(1, 5_000)) },
        ),
      () =>
        unstake.encode(
          farms,
          { ...common, scopePrices: null },
          { stakeSharesScaled: BigInt(random.between(1, 9_000)) * (WAD / 3n) },
        ),
      () => withdrawUnstakedDeposits.encode(farms, { ...tokenAccounts, farmVaultsAuthority: authority }, {}),
      () => harvestOf(owner),
    ])();
    const outcome = bench.outcome(instruction);
    if (outcome === null) accepted += 1;
    else expect([6002, 6031, 6036, 6037]).toContain(outcome);
    const state = readFarm(bench, farm);
    const states = owners.map((each) => readUser(bench, stateOf(each)));
    const total = (pick: (each: (typeof states)[number]) => bigint | undefined) =>
      states.reduce((sum, each) => sum + (pick(each) ?? 0n), 0n);
    expect(total((each) => each.activeStakeScaled)).toBe(state.totalActiveStakeScaled);
    expect(total((each) => each.pendingDepositStakeScaled + each.pendingWithdrawalUnstakeScaled)).toBe(
      state.totalPendingStakeScaled,
    );
    expect(bench.balance(vault)).toBe(
      state.totalStakedAmount + state.totalPendingAmount + state.slashedAmountCurrent,
    );
    const paid = owners.reduce(
      (sum, each) => sum + bench.balance(rewardsOf(each)),
      bench.balance(bench.treasury),
    );
    const info = state.rewardInfos[0];
    if (info === undefined) throw new RangeError('no reward');
    expect(paid + info.rewardsIssuedUnclaimed).toBe(info.rewardsIssuedCumulative);
    expect(info.rewardsIssuedCumulative + info.rewardsAvailable).toBe(BUDGET);
    expect(bench.balance(rewardsVault)).toBe(BUDGET - paid);
    expect(total((each) => each.rewardsIssuedUnclaimed[0])).toBeLessThanOrEqual(info.rewardsIssuedUnclaimed);
  }
  expect(accepted).toBeGreaterThan(250);
});
