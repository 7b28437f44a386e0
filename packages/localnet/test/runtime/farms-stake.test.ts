import { farmAuthority, farmUserState, farmVault } from '@sluice/protocol/farms/addresses';
import {
  refreshUserState,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '@sluice/protocol/farms/instructions';
import {
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type FarmFields,
  named,
  putFarm,
  putUser,
  readFarm,
  readUser,
  rewardFields,
} from '../support/runtime/farm-accounts.ts';
import { FarmBench, REWARD_MINT, STAKE_MINT } from '../support/runtime/farm-bench.ts';

const { farms } = MAINNET_PROGRAMS;
const WAD = 10n ** 18n;
const U64_MAX = (1n << 64n) - 1n;
const alice = named('alice');
const bob = named('bob');
const FURTHER: AccountMeta[] = [{ address: SYSTEM_PROGRAM, role: AccountRole.READONLY }];

let bench: FarmBench;
let farm: Address;
let vault: Address;

const tokensOf = (owner: Address) => named(`tokens of ${owner}`);
const stateOf = (owner: Address) => farmUserState(farms, farm, owner).address;
const user = (owner: Address) => readUser(bench, stateOf(owner));

/** A farm that issues 10 units a second. */
function open(fields: FarmFields = {}): void {
  farm = putFarm(bench, 'farm', [rewardFields([{ from: 0n, rate: 10n }])], fields);
  vault = farmVault(farms, farm, STAKE_MINT).address;
  bench.vaults(farm, farmAuthority(farms, farm).address, fields.totalStakedAmount ?? 0n, 0n);
  putUser(bench, farm, alice);
  putUser(bench, farm, bob);
}

beforeEach(() => {
  bench = new FarmBench();
  for (const owner of [alice, bob]) bench.tokens(tokensOf(owner), STAKE_MINT, owner, 10_000n);
  open();
});

type StakeAccounts = Partial<Parameters<typeof stake.encode>[1]>;
type WithdrawAccounts = Partial<Parameters<typeof withdrawUnstakedDeposits.encode>[1]>;

const stakeOf = (owner: Address, amount: bigint, accounts: StakeAccounts = {}, remaining?: AccountMeta[]) =>
  stake.encode(
    farms,
    {
      owner,
      userState: stateOf(owner),
      farmState: farm,
      farmVault: vault,
      userAta: tokensOf(owner),
      tokenMint: STAKE_MINT,
      scopePrices: null,
      tokenProgram: TOKEN_PROGRAM,
      ...accounts,
    },
    { amount },
    remaining,
  );

const unstakeOf = (owner: Address, stakeSharesScaled: bigint, userState = stateOf(owner)) =>
  unstake.encode(farms, { owner, userState, farmState: farm, scopePrices: null }, { stakeSharesScaled });

const withdrawalOf = (owner: Address, accounts: WithdrawAccounts = {}, remaining?: AccountMeta[]) =>
  withdrawUnstakedDeposits.encode(
    farms,
    {
      owner,
      userState: stateOf(owner),
      farmState: farm,
      userAta: tokensOf(owner),
      farmVault: vault,
      farmVaultsAuthority: farmAuthority(farms, farm).address,
      tokenProgram: TOKEN_PROGRAM,
      ...accounts,
    },
    {},
    remaining,
  );

const refreshOf = (owner: Address) =>
  refreshUserState.encode(farms, { userState: stateOf(owner), farmState: farm, scopePrices: null }, {});

describe('stake', () => {
  it('moves the tokens and earns by stake and time', () => {
    bench.at(10n);
    bench.accept(stakeOf(alice, 100n));
    bench.at(20n);
    bench.accept(stakeOf(bob, 300n));
    bench.at(40n);
    bench.accept(refreshOf(alice), refreshOf(bob));
    // Alice alone earns 100; then 200 are shared 1 : 3.
    expect(user(alice).rewardsIssuedUnclaimed[0]).toBe(150n);
    expect(user(bob).rewardsIssuedUnclaimed[0]).toBe(150n);
    expect(user(bob)).toMatchObject({ activeStakeScaled: 300n * WAD, lastStakeTs: 20n });
    expect(user(bob).rewardsTallyScaled[0]).toBe(300n * WAD + 150n * WAD);
    expect(readFarm(bench, farm)).toMatchObject({
      totalStakedAmount: 400n,
      totalActiveStakeScaled: 400n * WAD,
    });
    expect(readFarm(bench, farm).rewardInfos[0]).toMatchObject({
      rewardsIssuedUnclaimed: 300n,
      rewardPerShareScaled: (3n * WAD) / 2n,
    });
    expect([bench.balance(vault), bench.balance(tokensOf(alice))]).toEqual([400n, 9_900n]);
  });

  it('takes the whole token account for the maximum amount', () => {
    bench.accept(stakeOf(alice, U64_MAX));
    expect(user(alice).activeStakeScaled).toBe(10_000n * WAD);
    expect(bench.balance(tokensOf(alice))).toBe(0n);
  });

  it('rounds shares and amounts down when a share is not worth one unit', () => {
    open({ totalStakedAmount: 3n, totalActiveStakeScaled: 7n * WAD });
    bench.accept(stakeOf(alice, 2n));
    expect(user(alice).activeStakeScaled).toBe(4_666_666_666_666_666_666n);
    bench.accept(unstakeOf(alice, 100n * WAD));
    // 4.666… of 11.666… shares of 5 units are a little less than 2 units.
    expect(readFarm(bench, farm)).toMatchObject({ totalStakedAmount: 4n, totalPendingAmount: 1n });
    expect(readFarm(bench, farm).totalActiveStakeScaled).toBe(7n * WAD);
  });

  it('waits for the warm-up before a deposit earns', () => {
    open({ depositWarmupPeriod: 30 });
    bench.at(10n);
    bench.accept(stakeOf(alice, 100n));
    expect(user(alice)).toMatchObject({
      activeStakeScaled: 0n,
      pendingDepositStakeScaled: 100n * WAD,
      pendingDepositStakeTs: 40n,
    });
    expect(readFarm(bench, farm)).toMatchObject({ totalStakedAmount: 0n, totalPendingAmount: 100n });
    bench.at(39n);
    bench.accept(refreshOf(alice));
    expect(user(alice).activeStakeScaled).toBe(0n);
    bench.at(50n);
    bench.accept(refreshOf(alice));
    expect(user(alice)).toMatchObject({ activeStakeScaled: 100n * WAD, pendingDepositStakeScaled: 0n });
    bench.at(53n);
    bench.accept(refreshOf(alice));
    expect(user(alice).rewardsIssuedUnclaimed[0]).toBe(30n);
    expect(readFarm(bench, farm)).toMatchObject({ totalStakedAmount: 100n, totalPendingAmount: 0n });
  });

  it('restarts the warm-up with a further deposit', () => {
    open({ depositWarmupPeriod: 30 });
    bench.at(10n);
    bench.accept(stakeOf(alice, 100n));
    bench.at(20n);
    bench.accept(stakeOf(alice, 50n));
    expect(user(alice)).toMatchObject({
      pendingDepositStakeScaled: 150n * WAD,
      pendingDepositStakeTs: 50n,
    });
  });

  it('refuses what the program refuses', () => {
    expect(bench.outcome(stakeOf(alice, 0n))).toBe(6000);
    expect(bench.outcome(stakeOf(alice, 10_001n))).toBe(1);
    expect(bench.outcome(stakeOf(alice, 1n, {}, FURTHER))).toBe(6014);
    expect(bench.outcome(stakeOf(alice, 1n, { tokenProgram: TOKEN_2022_PROGRAM }))).toBe(3008);
    expect(bench.outcome(stakeOf(alice, 1n, { userState: stateOf(bob) }))).toBe(2001);
    expect(bench.outcome(stakeOf(alice, 1n, { userState: named('none') }))).toBe(3007);
    expect(bench.outcome(stakeOf(alice, 1n, { userAta: tokensOf(bob) }))).toBe(2001);
    expect(bench.outcome(stakeOf(alice, 1n, { userAta: named('none') }))).toBe(3012);
    expect(bench.outcome(stakeOf(alice, 1n, { farmVault: tokensOf(bob) }))).toBe(2001);
    expect(bench.outcome(stakeOf(alice, 1n, { tokenMint: REWARD_MINT }))).toBe(6026);
    bench.tokens(tokensOf(alice), REWARD_MINT, alice, 10n);
    expect(bench.outcome(stakeOf(alice, 1n))).toBe(6025);
    bench.tokens(tokensOf(alice), STAKE_MINT, alice, 10n, { tokenProgram: TOKEN_2022_PROGRAM });
    expect(bench.outcome(stakeOf(alice, 1n))).toBe(3007);
  });

  it('refuses a stake of another farm', () => {
    const elsewhere = putFarm(bench, 'elsewhere', []);
    const userState = putUser(bench, elsewhere, alice);
    expect(bench.outcome(stakeOf(alice, 1n, { userState }))).toBe(2001);
  });

  it('refuses a missing signature and a read-only account', () => {
    const { accounts, ...rest } = stakeOf(alice, 1n);
    const withRole = (index: number, role: AccountRole) => ({
      ...rest,
      accounts: accounts.map((meta, i) => (i === index ? { ...meta, role } : meta)),
    });
    expect(bench.outcome(withRole(0, AccountRole.READONLY))).toBe(3010);
    expect(bench.outcome(withRole(1, AccountRole.READONLY))).toBe(2000);
    expect(bench.outcome({ ...rest, accounts: accounts.slice(0, 7) })).toBe(3005);
  });

  it('refuses a vault that others could empty, and one at another address', () => {
    const authority = farmAuthority(farms, farm).address;
    bench.tokens(vault, STAKE_MINT, authority, 0n, { delegate: bob, delegatedAmount: 1n });
    expect(bench.outcome(stakeOf(alice, 1n))).toBe(6020);
    bench.tokens(vault, STAKE_MINT, authority, 0n, { closeAuthority: bob });
    expect(bench.outcome(stakeOf(alice, 1n))).toBe(6021);
    open({ farmVault: tokensOf(bob) });
    expect(bench.outcome(stakeOf(alice, 1n, { farmVault: tokensOf(bob) }))).toBe(2006);
  });

  it('refuses a delegated farm and more than the cap', () => {
    open({ delegateAuthority: bob });
    expect(bench.outcome(stakeOf(alice, 1n))).toBe(6035);
    open({ depositCapAmount: 100n });
    expect(bench.outcome(stakeOf(alice, 101n))).toBe(6045);
    bench.accept(stakeOf(alice, 60n));
    expect(bench.outcome(stakeOf(bob, 41n))).toBe(6045);
    bench.accept(stakeOf(bob, 40n));
  });
});

describe('unstake and withdraw', () => {
  it('pays out at once without a cooldown', () => {
    bench.accept(stakeOf(alice, 100n));
    bench.at(7n);
    bench.accept(unstakeOf(alice, 40n * WAD), withdrawalOf(alice));
    expect(bench.balance(tokensOf(alice))).toBe(9_940n);
    expect(user(alice)).toMatchObject({
      activeStakeScaled: 60n * WAD,
      pendingWithdrawalUnstakeScaled: 0n,
    });
    expect(user(alice).rewardsIssuedUnclaimed[0]).toBe(70n);
    // 28 of the 70 credited belong to the shares that left.
    expect(user(alice).rewardsTallyScaled[0]).toBe(42n * WAD);
    expect(readFarm(bench, farm)).toMatchObject({ totalStakedAmount: 60n, totalPendingAmount: 0n });
  });

  it('takes no more than the whole stake', () => {
    bench.accept(stakeOf(alice, 100n));
    bench.accept(unstakeOf(alice, (1n << 128n) - 1n), withdrawalOf(alice));
    expect(bench.balance(tokensOf(alice))).toBe(10_000n);
    expect(bench.outcome(unstakeOf(alice, WAD))).toBe(6002);
  });

  it('waits for the cooldown, which a further unstake restarts', () => {
    open({ withdrawalCooldownPeriod: 20 });
    bench.accept(stakeOf(alice, 100n));
    bench.at(10n);
    bench.accept(unstakeOf(alice, 10n * WAD));
    bench.at(15n);
    bench.accept(unstakeOf(alice, 10n * WAD));
    expect(user(alice)).toMatchObject({
      pendingWithdrawalUnstakeScaled: 20n * WAD,
      pendingWithdrawalUnstakeTs: 35n,
    });
    bench.at(34n);
    expect(bench.outcome(withdrawalOf(alice))).toBe(6036);
    bench.at(35n);
    expect(bench.outcome(unstakeOf(alice, WAD))).toBe(6037);
    bench.accept(withdrawalOf(alice));
    expect(bench.balance(tokensOf(alice))).toBe(9_920n);
    expect(bench.outcome(withdrawalOf(alice))).toBe(6031);
  });

  it('keeps a falling share of an early withdrawal until the farm expires', () => {
    open({
      lockingMode: 2n,
      lockingStartTimestamp: 100n,
      lockingDuration: 100n,
      lockingEarlyWithdrawalPenaltyBps: 1_000n,
    });
    bench.accept(stakeOf(alice, 1_001n), stakeOf(bob, 1_000n));
    // Before the start nothing is locked.
    bench.accept(unstakeOf(bob, 500n * WAD));
    expect(readFarm(bench, farm).slashedAmountCurrent).toBe(0n);
    bench.at(125n);
    // 75 % of 10 % of 1001, rounded down.
    bench.accept(unstakeOf(alice, 1_001n * WAD), withdrawalOf(alice));
    expect(bench.balance(tokensOf(alice))).toBe(10_000n - 75n);
    expect(readFarm(bench, farm)).toMatchObject({
      slashedAmountCurrent: 75n,
      slashedAmountCumulative: 75n,
      totalStakedAmount: 500n,
    });
    bench.accept(withdrawalOf(bob));
    bench.at(200n);
    bench.accept(unstakeOf(bob, 500n * WAD), withdrawalOf(bob));
    expect([bench.balance(tokensOf(bob)), bench.balance(vault)]).toEqual([10_000n, 75n]);
  });

  it('counts a continuous lock from the last stake', () => {
    open({ lockingMode: 1n, lockingDuration: 100n, lockingEarlyWithdrawalPenaltyBps: 5_000n });
    bench.at(10n);
    bench.accept(stakeOf(alice, 100n));
    bench.at(60n);
    bench.accept(unstakeOf(alice, 100n * WAD), withdrawalOf(alice));
    expect(bench.balance(tokensOf(alice))).toBe(9_975n);
  });

  it('refuses an early withdrawal where none is allowed', () => {
    const lock = { lockingMode: 1n, lockingDuration: 100n };
    for (const [bps, code] of [
      [0n, 6041],
      [10_000n, 6041],
      [10_001n, 6040],
    ] as const) {
      open({ ...lock, lockingEarlyWithdrawalPenaltyBps: bps });
      bench.accept(stakeOf(alice, 1n));
      expect(bench.outcome(unstakeOf(alice, WAD))).toBe(code);
    }
  });

  it('refuses what the program refuses', () => {
    bench.accept(stakeOf(alice, 100n), stakeOf(bob, 100n));
    expect(bench.outcome(unstakeOf(alice, 0n))).toBe(6001);
    expect(bench.outcome(unstakeOf(alice, WAD, stateOf(bob)))).toBe(2001);
    bench.accept(unstakeOf(alice, WAD));
    expect(bench.outcome(withdrawalOf(alice, {}, FURTHER))).toBe(6014);
    expect(bench.outcome(withdrawalOf(alice, { userState: stateOf(bob) }))).toBe(2001);
    expect(bench.outcome(withdrawalOf(alice, { userAta: tokensOf(bob) }))).toBe(2001);
    expect(bench.outcome(withdrawalOf(alice, { farmVault: tokensOf(bob) }))).toBe(2001);
    expect(bench.outcome(withdrawalOf(alice, { farmVaultsAuthority: bob }))).toBe(2001);
    expect(bench.outcome(withdrawalOf(alice, { tokenProgram: SYSTEM_PROGRAM }))).toBe(3008);
    bench.tokens(tokensOf(alice), REWARD_MINT, alice, 0n);
    expect(bench.outcome(withdrawalOf(alice))).toBe(6025);
    open({ delegateAuthority: bob });
    expect(bench.outcome(unstakeOf(alice, WAD))).toBe(6035);
  });
});
