import { FARM_ERRORS } from '@sluice/protocol/error-names';
import { setStakeDelegated } from '@sluice/protocol/farms/instructions';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { FARM } from '../../src/runtime/farms/farm-errors.ts';
import { farmsProgram } from '../../src/runtime/farms/program.ts';
import {
  account,
  named,
  putFarm,
  putUser,
  readFarm,
  readUser,
  rewardFields,
} from '../support/runtime/farm-accounts.ts';
import { ProgramBench } from '../support/runtime/program-bench.ts';

const { farms } = MAINNET_PROGRAMS;
const WAD = 10n ** 18n;
const MARKET = named('market authority');
const alice = named('alice');
const bob = named('bob');

let bench: ProgramBench;
let farm: Address;

const at = (seconds: bigint) => {
  bench.clock = { slot: seconds * 2n, unixTimestamp: seconds };
};

const setStake = (
  userState: Address,
  newAmount: bigint,
  {
    delegateAuthority = MARKET,
    farmState = farm,
    remaining = [],
  }: { delegateAuthority?: Address; farmState?: Address; remaining?: AccountMeta[] } = {},
) =>
  bench.run([
    setStakeDelegated.encode(farms, { delegateAuthority, userState, farmState }, { newAmount }, remaining),
  ]);

beforeEach(() => {
  bench = new ProgramBench([farmsProgram], { slot: 0n, unixTimestamp: 0n });
  // 7 units a second with one decimal, from second 100 on 2.5 units.
  const reward = rewardFields(
    [
      { from: 0n, rate: 70n },
      { from: 100n, rate: 25n },
    ],
    { rewardsPerSecondDecimals: 1 },
  );
  farm = putFarm(bench, 'farm', [reward], { delegateAuthority: MARKET, isFarmDelegated: 1 });
});

describe('setStakeDelegated', () => {
  it('shares the schedule by stake and time, to the unit', () => {
    const first = putUser(bench, farm, alice);
    const second = putUser(bench, farm, bob);
    at(10n);
    expect(setStake(first, 3n).failure).toBeNull();
    // 20 s alone: 140 units for a stake of 3, so 46.666… a share.
    at(30n);
    expect(setStake(second, 1n).failure).toBeNull();
    expect(readFarm(bench, farm).rewardInfos[0]).toMatchObject({
      rewardsIssuedCumulative: 140n,
      rewardsIssuedUnclaimed: 140n,
      rewardsAvailable: 10n ** 15n - 140n,
      lastIssuanceTs: 30n,
      rewardPerShareScaled: (140n * WAD) / 3n,
    });
    // 70 s of 7 units and 20 s of 2.5 units: 540 units for a stake of 4, 135 a share.
    at(120n);
    expect(setStake(first, 5n).failure).toBeNull();
    expect(setStake(second, 2n).failure).toBeNull();
    const perShare = (140n * WAD) / 3n + 135n * WAD;
    expect(readFarm(bench, farm)).toMatchObject({ totalStakedAmount: 7n, totalActiveStakeScaled: 7n });
    // 3 × 46.666…6 rounds down to 139: the last unit stays with the farm.
    expect(readUser(bench, first).rewardsIssuedUnclaimed[0]).toBe(139n + 3n * 135n);
    expect(readUser(bench, second).rewardsIssuedUnclaimed[0]).toBe(135n);
    expect(readUser(bench, first)).toMatchObject({ activeStakeScaled: 5n, lastStakeTs: 120n });
    expect(readUser(bench, first).rewardsTallyScaled[0]).toBe(perShare * 5n);
    expect(readUser(bench, second).rewardsTallyScaled[0]).toBe(perShare * 2n);
  });

  it('does nothing when the stake stays the same', () => {
    const user = putUser(bench, farm, alice);
    at(10n);
    setStake(user, 3n);
    const before = bench.get(farm);
    at(50n);
    expect(setStake(user, 3n).failure).toBeNull();
    expect(bench.get(farm)).toBe(before);
  });

  it('leaves the last stake time when a stake shrinks', () => {
    const user = putUser(bench, farm, alice);
    at(10n);
    setStake(user, 3n);
    at(20n);
    setStake(user, 1n);
    expect(readUser(bench, user)).toMatchObject({ activeStakeScaled: 1n, lastStakeTs: 10n });
    at(40n);
    setStake(user, 0n);
    expect(readUser(bench, user).rewardsIssuedUnclaimed[0]).toBe(69n + 140n);
    expect(readFarm(bench, farm).totalStakedAmount).toBe(0n);
  });

  it('issues nothing while nobody stakes', () => {
    const user = putUser(bench, farm, alice);
    at(50n);
    setStake(user, 3n);
    expect(readFarm(bench, farm).rewardInfos[0]).toMatchObject({
      rewardsIssuedCumulative: 0n,
      lastIssuanceTs: 50n,
    });
  });

  it('issues no more than there is', () => {
    const poor = rewardFields([{ from: 0n, rate: 7n }], { rewardsAvailable: 10n });
    farm = putFarm(bench, 'poor farm', [poor], { delegateAuthority: MARKET });
    const user = putUser(bench, farm, alice);
    at(10n);
    setStake(user, 2n);
    at(100n);
    setStake(user, 0n);
    expect(readFarm(bench, farm).rewardInfos[0]).toMatchObject({
      rewardsAvailable: 0n,
      rewardsIssuedUnclaimed: 10n,
    });
    expect(readUser(bench, user).rewardsIssuedUnclaimed[0]).toBe(10n);
  });

  it('accepts the second authority', () => {
    const second = named('second authority');
    farm = putFarm(bench, 'two', [], { delegateAuthority: MARKET, secondDelegatedAuthority: second });
    const user = putUser(bench, farm, alice);
    expect(setStake(user, 1n, { delegateAuthority: second }).failure).toBeNull();
  });
});

describe('setStakeDelegated refuses', () => {
  const failure = (code: number) => ({ index: 0, reason: { Custom: code } });

  it('an authority that is not the farm’s', () => {
    const user = putUser(bench, farm, alice);
    const result = setStake(user, 1n, { delegateAuthority: alice });
    expect(result.failure).toEqual(failure(FARM.authorityFarmDelegateMissmatch));
    expect(result.logs.join()).toContain('AuthorityFarmDelegateMissmatch. Error Number: 6033');
  });

  it('a farm that holds its stakes itself', () => {
    farm = putFarm(bench, 'own', []);
    const user = putUser(bench, farm, alice);
    expect(setStake(user, 1n).failure).toEqual(failure(FARM.farmNotDelegated));
  });

  it('a stake of another farm', () => {
    const other = putFarm(bench, 'other', [], { delegateAuthority: MARKET });
    const user = putUser(bench, other, alice);
    expect(setStake(user, 1n).failure).toEqual(failure(2001));
  });

  it('a stake that does not exist', () => {
    expect(setStake(named('nothing'), 1n).failure).toEqual(failure(3007));
  });

  it('an account of another kind', () => {
    expect(setStake(farm, 1n).failure).toEqual(failure(3002));
    bench.set(named('short'), account(farms, new Uint8Array(4)));
    expect(setStake(named('short'), 1n).failure).toEqual(failure(3001));
  });

  it('further accounts', () => {
    const user = putUser(bench, farm, alice);
    const remaining = [{ address: SYSTEM_PROGRAM, role: AccountRole.READONLY }];
    expect(setStake(user, 1n, { remaining }).failure).toEqual(failure(FARM.unexpectedAccount));
  });

  it('more than the cap', () => {
    farm = putFarm(bench, 'capped', [], { delegateAuthority: MARKET, depositCapAmount: 10n });
    const user = putUser(bench, farm, alice);
    expect(setStake(user, 10n).failure).toBeNull();
    expect(setStake(user, 11n).failure).toEqual(failure(FARM.depositCapReached));
  });

  it('a farm whose rewards need a price', () => {
    const reward = rewardFields([{ from: 0n, rate: 7n }]);
    farm = putFarm(bench, 'priced', [reward], { delegateAuthority: MARKET, scopeOraclePriceId: 3n });
    const user = putUser(bench, farm, alice);
    expect(setStake(user, 1n).failure).toEqual(failure(FARM.missingScopePrices));
  });

  it('a farm whose totals do not agree', () => {
    farm = putFarm(bench, 'odd', [], { delegateAuthority: MARKET, totalStakedAmount: 1n });
    const user = putUser(bench, farm, alice);
    expect(setStake(user, 1n).failure).toEqual({ index: 0, reason: 'ProgramFailedToComplete' });
  });
});

it('numbers its errors as the program does', () => {
  for (const [name, code] of Object.entries(FARM)) {
    expect(FARM_ERRORS.names[code - FARM_ERRORS.first]?.toLowerCase()).toBe(name.toLowerCase());
  }
});
