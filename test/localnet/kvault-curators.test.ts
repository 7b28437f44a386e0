import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import type { Action } from '../../src/builders/action.ts';
import {
  acceptVaultAdminAction,
  giveUpVaultFeesAction,
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  setVaultConfigAction,
  withdrawVaultFeesAction,
  withdrawVaultRewardsAction,
} from '../../src/builders/curator/action.ts';
import type { VaultSettings } from '../../src/builders/curator/setting-rows.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { NOTHING_KNOWN } from '../support/localnet/built-steps.ts';
import { CuratorBench, expectOutcome, figuresOf, runStep } from '../support/localnet/curator-bench.ts';
import { failureOf } from '../support/localnet/lending-bench.ts';
import { sharedWorld } from '../support/localnet/shared-world.ts';

/** The vault program's checks of a curator's instructions, and the builder's refusals in their place. */

const STRANGER = named('stranger');
const ALL = { all: true } as const;

const RESERVE = { available: 1_000_000n, minted: 1_000_000n, owned: 100_000n };

function bench(): CuratorBench {
  const made = new CuratorBench();
  made.shrink({ idle: 50_000n, sharesIssued: 350_000n, reserves: [RESERVE, RESERVE, RESERVE] });
  made.fund(1_000_000n);
  return made;
}

/** A reserve of the vault's token that the vault does not use. */
function unusedReserve({ vault }: CuratorBench): Address {
  const used = vault.allocations.map(({ reserve }) => reserve.address);
  const { mint } = vault.token;
  const found = sharedWorld().world.reserves.find(
    ({ address, token }) => token.mint.address === mint.address && !used.includes(address),
  );
  return found?.address ?? expect.fail('the vault uses all reserves of its token');
}

const dataOf = (chain: CuratorBench, action: Action) =>
  chain.step(action).action.instructions.map(({ data }) => Buffer.from(data).toString('hex'));

/** The same instruction, signed by somebody else. */
function signedByStranger(
  chain: CuratorBench,
  { accounts, ...rest }: EncodedInstruction,
): EncodedInstruction {
  return {
    ...rest,
    accounts: accounts.map((meta) => (meta.address === chain.wallet ? { ...meta, address: STRANGER } : meta)),
  };
}

describe('allocations', () => {
  it('add a reserve with rent, and take it out again', () => {
    const chain = bench();
    const reserve = unusedReserve(chain);
    const place = { ...chain.request, reserve };
    const added = chain.step(
      setAllocationAction(NOTHING_KNOWN, { ...place, weight: 50n, cap: Rational.of(3n, 2n) }),
    );
    expect(figuresOf(added).rent?.amount).toBe(2_039_280n);
    expectOutcome(chain, added);
    const slot = chain.state().vaultAllocationStrategy.find((each) => each.reserve === reserve);
    expect(slot).toMatchObject({
      targetAllocationWeight: 50n,
      tokenAllocationCap: 1_500_000n,
      ctokenAllocationCap: 2n ** 64n - 1n,
      ctokenAllocation: 0n,
    });
    const removal = removeAllocationAction(NOTHING_KNOWN, place);
    expect(runStep(chain, chain.step(removal))).toBe(7047);
    expectOutcome(chain, chain.step(setAllocationAction(NOTHING_KNOWN, { ...place, weight: 0n })));
    expectOutcome(chain, chain.step(removal));
    expect(chain.state().vaultAllocationStrategy.some((each) => each.reserve === reserve)).toBe(false);
  });

  it('follow a new weight, out of a reserve and into the others', () => {
    const chain = bench();
    const reserve = chain.reserveAddress(0);
    const place = { ...chain.request, reserve };
    chain.changeVault({ minInvestDelaySlots: 0n });
    expectOutcome(chain, chain.step(setAllocationAction(NOTHING_KNOWN, { ...place, weight: 0n })));
    const exit = chain.step(investVaultAction(NOTHING_KNOWN, place));
    expectOutcome(chain, exit);
    expect(chain.state().tokenAvailable).toBe(150_000n);
    expectOutcome(chain, chain.step(removeAllocationAction(NOTHING_KNOWN, place)));
  });

  it('have the bytes of the interface', () => {
    const chain = bench();
    const reserve = chain.reserveAddress(1);
    const terms = { weight: 258n, cap: Rational.of(5n, 1n), collateralCap: 'none' as const };
    const action = setAllocationAction(NOTHING_KNOWN, { ...chain.request, reserve, ...terms });
    const words = ['c388014f0a7b7964', '0201000000000000', '404b4c0000000000', 'ffffffffffffffff'];
    expect(dataOf(chain, action)).toEqual([words.join('')]);
    const [built] = chain.step(action).action.instructions;
    expect(built?.accounts.map(({ role }) => role)).toEqual([
      AccountRole.WRITABLE_SIGNER,
      AccountRole.WRITABLE,
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      AccountRole.READONLY,
      AccountRole.WRITABLE,
      ...Array.from({ length: 4 }, () => AccountRole.READONLY),
    ]);
  });
});

describe('settings', () => {
  const change = (chain: CuratorBench, settings: VaultSettings) =>
    setVaultConfigAction(NOTHING_KNOWN, chain.request, settings);

  it('have the bytes of the interface, one instruction each', () => {
    const chain = bench();
    const settings = { performanceFeeBps: 1_251, name: 'Bay', minInvestDelaySlots: 77n };
    const prefix = '7a0315de9effee9d';
    expect(dataOf(chain, change(chain, settings))).toEqual([
      `${prefix}0008000000e304000000000000`,
      `${prefix}05080000004d00000000000000`,
      `${prefix}0803000000426179`,
    ]);
    const cap = dataOf(chain, change(chain, { depositCap: Rational.of(1n, 10n ** 6n) }));
    expect(cap).toEqual([`${prefix}14080000000100000000000000`]);
    const restricted = dataOf(chain, change(chain, { investsInWhitelistedReservesOnly: true }));
    expect(restricted).toEqual([`${prefix}120100000001`]);
  });

  it('change what they name, and hand the vault over', () => {
    const chain = bench();
    const heir = chain.reserveAddress(0);
    const step = chain.step(
      change(chain, {
        performanceFeeBps: 900,
        managementFeeBps: 100,
        minDeposit: Rational.of(1n),
        withdrawalPenaltyBps: 30,
        unallocatedWeight: 5n,
        unallocatedCap: Rational.of(9n),
        crankFeePerReserve: Rational.of(1n, 10n ** 6n),
        farm: heir,
        lookupTable: heir,
        allocationAdmin: heir,
        firstLossFarm: heir,
        permissioningAuthority: heir,
        pendingAdmin: STRANGER,
        allocationsInWhitelistedReservesOnly: true,
        rewardPerSecond: Rational.of(3n, 10n ** 6n),
        name: 'Å quay',
      }),
    );
    expectOutcome(chain, step);
    expect(chain.state()).toMatchObject({ performanceFeeBps: 900n, pendingAdmin: STRANGER });
    expect(chain.state().rewardInfo.rewardPerSecond).toBe(3n);
    expect(figuresOf(step).settings).toContainEqual({
      setting: 'PENDING_ADMIN',
      before: null,
      after: STRANGER,
    });
    chain.set(STRANGER, { ...chain.account(chain.wallet) });
    const taking = chain.step(
      acceptVaultAdminAction(NOTHING_KNOWN, { wallet: STRANGER, vault: chain.vault.address }),
    );
    expectOutcome(chain, taking);
    expect(chain.state().vaultAdminAuthority).toBe(STRANGER);
  });

  it.each([
    ['a fee of more than everything', { performanceFeeBps: 10_001 }, 'at most 10000'],
    ['a management fee above 10 %', { managementFeeBps: 1_001 }, 'at most 1000'],
    ['a large minimum', { minWithdraw: Rational.of(1_001n, 10n ** 6n) }, 'at most 0.001'],
    ['a large penalty', { withdrawalPenalty: Rational.of(10_001n, 10n ** 6n) }, 'at most 0.01'],
    ['a penalty above 10 %', { withdrawalPenaltyBps: 1_001 }, 'at most 1000'],
    ['a negative fee', { performanceFeeBps: -1 }, 'must not be negative'],
    ['a long name', { name: 'Å'.repeat(21) }, 'at most 40 bytes'],
    ['a deposit cap of 0', { depositCap: Rational.of(0n) }, 'takes 0 for the deposit cap as none'],
  ] as const)('refuse %s', (_, settings, reason) => {
    const chain = bench();
    expect(() => chain.step(change(chain, settings))).toThrow(reason);
  });

  it('refuse to change nothing', () => {
    const chain = bench();
    const { performanceFeeBps } = chain.state();
    const same = change(chain, { performanceFeeBps: Number(performanceFeeBps) });
    expect(() => chain.step(same)).toThrow(/are as you want them/);
  });
});

describe('a wallet that does not run the vault', () => {
  const ACTIONS: readonly (readonly [
    string,
    number,
    (request: CuratorBench['request'], reserve: Address) => Action,
  ])[] = [
    [
      'set an allocation',
      7046,
      (request, reserve) => setAllocationAction(NOTHING_KNOWN, { ...request, reserve, weight: 1n }),
    ],
    [
      'remove a reserve',
      2001,
      (request, reserve) => removeAllocationAction(NOTHING_KNOWN, { ...request, reserve }),
    ],
    [
      'change a setting',
      7014,
      (request) => setVaultConfigAction(NOTHING_KNOWN, request, { managementFeeBps: 7 }),
    ],
    [
      'change a shared setting',
      7014,
      (request) => setVaultConfigAction(NOTHING_KNOWN, request, { name: 'x' }),
    ],
    ['give up fees', 2001, (request) => giveUpVaultFeesAction(NOTHING_KNOWN, { ...request, amount: ALL })],
    [
      'take rewards',
      2001,
      (request) => withdrawVaultRewardsAction(NOTHING_KNOWN, { ...request, amount: ALL }),
    ],
    ['take fees', 2001, (request) => withdrawVaultFeesAction(NOTHING_KNOWN, request)],
  ];

  it.each(ACTIONS)('cannot %s: the program fails with %i', (_, code, actionOf) => {
    const chain = bench();
    const reserve = chain.reserveAddress(2);
    const step = chain.step(actionOf(chain.request, reserve));
    const own = step.action.instructions.filter(({ programAddress }) => programAddress.startsWith('Kvau'));
    expect(failureOf(chain.run(own.map((each) => signedByStranger(chain, each))))).toBe(code);
    const theirs = { wallet: STRANGER, vault: chain.vault.address };
    try {
      chain.step(actionOf(theirs, reserve));
      expect.fail('it was built');
    } catch (error) {
      if (!isCodedError(error, 'NOT_VAULT_ADMIN')) throw error;
      expect(error.message).toContain(chain.wallet);
    }
  });

  it('cannot take the vault over unless it is the pending admin', () => {
    const chain = bench();
    const request = { wallet: STRANGER, vault: chain.vault.address };
    expect(() => chain.step(acceptVaultAdminAction(NOTHING_KNOWN, request))).toThrow(/pending admin/);
  });

  it('may change an allocation as the allocation admin, but add none', () => {
    const chain = bench();
    chain.set(STRANGER, { ...chain.account(chain.wallet) });
    chain.changeVault({ allocationAdmin: STRANGER });
    const request = { wallet: STRANGER, vault: chain.vault.address, weight: 9n };
    const reserve = chain.reserveAddress(1);
    expectOutcome(chain, chain.step(setAllocationAction(NOTHING_KNOWN, { ...request, reserve })));
    const other = unusedReserve(chain);
    expect(() => chain.step(setAllocationAction(NOTHING_KNOWN, { ...request, reserve: other }))).toThrow(
      /may add a reserve/,
    );
  });
});
