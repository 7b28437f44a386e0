import { farmUserState } from '@sluice/protocol/farms/addresses';
import { initializeUser, refreshUserState } from '@sluice/protocol/farms/instructions';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { account, named, putFarm, putUser, readFarm, readUser } from '../support/runtime/farm-accounts.ts';
import { FarmBench, GLOBAL_CONFIG } from '../support/runtime/farm-bench.ts';

const { farms } = MAINNET_PROGRAMS;
const alice = named('alice');
const bob = named('bob');
const FURTHER: AccountMeta[] = [{ address: SYSTEM_PROGRAM, role: AccountRole.READONLY }];

let bench: FarmBench;
let farm: Address;

const stateOf = (owner: Address) => farmUserState(farms, farm, owner).address;
const user = (owner: Address) => readUser(bench, stateOf(owner));

beforeEach(() => {
  bench = new FarmBench();
  farm = putFarm(bench, 'farm', []);
});

describe('initializeUser', () => {
  const opening = (accounts: Partial<Parameters<typeof initializeUser.encode>[1]> = {}) =>
    initializeUser.encode(
      farms,
      {
        authority: bob,
        payer: bob,
        owner: bob,
        delegatee: bob,
        userState: stateOf(accounts.delegatee ?? bob),
        farmState: farm,
        systemProgram: SYSTEM_PROGRAM,
        rent: RENT_SYSVAR,
        ...accounts,
      },
      {},
    );

  beforeEach(() => {
    for (const payer of [alice, bob]) bench.set(payer, account(SYSTEM_PROGRAM, new Uint8Array(0)));
  });

  it('opens an empty stake, paid by the owner', () => {
    bench.at(9n);
    bench.accept(opening());
    expect(user(bob)).toMatchObject({
      userId: 0n,
      farmState: farm,
      owner: bob,
      delegatee: bob,
      isFarmDelegated: 0,
      activeStakeScaled: 0n,
      bump: BigInt(farmUserState(farms, farm, bob).bump),
    });
    expect(user(bob).lastClaimTs).toEqual(Array.from({ length: 10 }, () => 9n));
    expect(readFarm(bench, farm).numUsers).toBe(1n);
    // Rent of 920 bytes.
    expect(bench.get(stateOf(bob))?.lamports).toBe(7_294_080n);
    expect(bench.get(bob)?.lamports).toBe(10n ** 9n - 7_294_080n);
  });

  it('tops up an address that already has lamports', () => {
    bench.set(stateOf(bob), account(SYSTEM_PROGRAM, new Uint8Array(0), 5n));
    bench.accept(opening());
    expect(bench.get(stateOf(bob))?.lamports).toBe(7_294_080n);
    expect(user(bob).owner).toBe(bob);
  });

  it('opens the stake of a delegatee for its authority', () => {
    farm = putFarm(bench, 'farm', [], { delegateAuthority: named('market') });
    const delegatee = named('obligation');
    bench.accept(opening({ authority: named('market'), owner: alice, delegatee }));
    expect(readUser(bench, stateOf(delegatee))).toMatchObject({
      owner: alice,
      delegatee,
      isFarmDelegated: 1,
    });
    expect(bench.outcome(opening())).toBe(6033);
  });

  it('refuses what the program refuses', () => {
    expect(bench.outcome(opening({ owner: alice }))).toBe(6032);
    expect(bench.outcome(opening({ authority: alice }))).toBe(6032);
    expect(bench.outcome(opening({ delegatee: named('another delegatee') }))).toBe(6032);
    expect(bench.outcome(opening({ userState: named('elsewhere') }))).toBe(2006);
    expect(bench.outcome(opening({ systemProgram: TOKEN_PROGRAM }))).toBe(3008);
    expect(bench.outcome(opening({ rent: alice }))).toBe(3015);
    expect(bench.outcome(opening({ farmState: GLOBAL_CONFIG }))).toBe(3002);
    bench.accept(opening());
    expect(bench.outcome(opening())).toBe(0);
  });
});

describe('refreshUserState', () => {
  it('refuses a stake of another farm and further accounts', () => {
    const elsewhere = putFarm(bench, 'elsewhere', []);
    const userState = putUser(bench, elsewhere, alice);
    const accounts = { userState, farmState: farm, scopePrices: null };
    expect(bench.outcome(refreshUserState.encode(farms, accounts, {}))).toBe(2001);
    const own = { ...accounts, userState: putUser(bench, farm, alice) };
    expect(bench.outcome(refreshUserState.encode(farms, own, {}, FURTHER))).toBe(6014);
  });
});
