import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address, isSignerRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import { lendingOutcome } from '../../src/builders/lending/preview.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import { planTransactions } from '../../src/builders/plan/plan.ts';
import type { BuildWarning } from '../../src/builders/warnings.ts';
import { permissionedOperations, permissionFor } from '../../src/domain/permission.ts';
import {
  addressNumber,
  type LendingSetting,
  LIFETIME,
  NOW,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { depositBench } from '../support/localnet/deposit-bench.ts';

/**
 * Markets and reserves that demand another signature. Bits and errors are those of the program: 1 deposit, 2 borrow,
 * 4 liquidate; 6183 for a missing or another account, 3010 for one that does not sign.
 */

const { klend } = MAINNET_PROGRAMS;
const AUTHORITY = addressNumber(940);
const OTHER = addressNumber(941);

/** 1000 USD deposited in reserve 0, 100 owed in reserve 1, both of the same elevation group if in one. */
function setting(marketBits: bigint, reserveBits: bigint, change: LendingSetting = {}): LendingSetting {
  const member = { elevationGroups: Uint8Array.of(1) };
  const limit = { borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n] };
  const config = { permissionedOps: reserveBits, ...member, ...limit };
  return {
    reserves: [{ config }, { config }],
    deposits: [[0, 1_000_000_000n]],
    borrows: [[1, 100_000_000n]],
    balances: [10n ** 12n, 10n ** 12n],
    ...change,
    market: { permissioningAuthority: AUTHORITY, permissionedOps: marketBits, ...change.market },
  };
}

const IN_GROUP: LendingSetting = {
  change: { elevationGroup: 1 },
  market: {
    elevationGroups: [
      {
        id: 1,
        ltvPct: 80,
        liquidationThresholdPct: 85,
        allowNewLoans: 1,
        maxReservesAsCollateral: 8,
        debtReserve: reserveAddress(1),
      },
    ],
  },
};

const INDEX = { deposit: 0, withdraw: 0, borrow: 1, repay: 1 } as const;

function built(action: LendingAction, given: LendingSetting) {
  const bench = depositBench(given, action, INDEX[action]);
  const build = buildLending(bench.accounts, { baseUnits: 5_000_000n }, NOW);
  const instructions = build.action.instructions.filter(({ programAddress }) => programAddress === klend);
  const last = instructions.at(-1) ?? expect.fail('no action');
  return { bench, build, instructions, accounts: last.accounts, warnings: build.preview().warnings };
}

/** The instructions with the accounts of the last one changed. */
const withLast = (
  instructions: readonly EncodedInstruction[],
  change: (accounts: EncodedInstruction['accounts']) => EncodedInstruction['accounts'],
) =>
  instructions.map((each, i) =>
    i === instructions.length - 1 ? { ...each, accounts: change(each.accounts) } : each,
  );

const needs = (warnings: readonly BuildWarning[]) =>
  warnings.filter(({ code }) => code === 'NEEDS_PERMISSION');

describe('a permissioned action', () => {
  const CASES: readonly (readonly [string, LendingAction, bigint, bigint, LendingSetting])[] = [
    ['a deposit, by the market', 'deposit', 1n, 0n, {}],
    ['a deposit, by the reserve', 'deposit', 6n, 1n, {}],
    ['a borrow, by the market', 'borrow', 2n, 0n, {}],
    ['a borrow, by the reserve', 'borrow', 5n, 2n, {}],
    ['a borrow in an elevation group', 'borrow', 2n, 0n, IN_GROUP],
    ['a deposit in an elevation group', 'deposit', 7n, 7n, IN_GROUP],
  ];

  it.each(CASES)('%s: the authority is the last account, and signs', (_, action, market, reserve, change) => {
    const { bench, build, instructions, accounts, warnings } = built(
      action,
      setting(market, reserve, change),
    );
    expect(accounts.at(-1)).toEqual({ address: AUTHORITY, role: AccountRole.READONLY_SIGNER });
    expect(build.action.instructions.at(-1)?.labels.at(-1)).toBe('permissioningAuthority');
    expect(needs(warnings)).toMatchObject([
      { level: 'WARNING', message: expect.stringContaining(`${AUTHORITY} must also sign`) },
    ]);
    const transactions = planTransactions({
      feePayer: WALLET,
      instructions: build.action.instructions,
      tables: [],
      lifetime: LIFETIME,
    });
    expect(transactions.at(-1)?.signers).toEqual([WALLET, AUTHORITY]);

    const failure = (of: readonly EncodedInstruction[]) => bench.failureOf(of);
    const without = withLast(instructions, (all) => all.slice(0, -1));
    expect(failure(without)).toBe(6183);
    const replaced = (address: Address, role: AccountRole) =>
      withLast(instructions, (all) => [...all.slice(0, -1), { address, role }]);
    expect(failure(replaced(OTHER, AccountRole.READONLY_SIGNER))).toBe(6183);
    expect(failure(replaced(AUTHORITY, AccountRole.READONLY))).toBe(3010);
    // Another account behind the authority takes its place.
    const behind = withLast(instructions, (all) => [...all, { address: OTHER, role: AccountRole.READONLY }]);
    expect(failure(behind)).toBe(6183);
    expect(failure(instructions)).toBeNull();
  });

  it('moves what its preview says', () => {
    for (const action of ['deposit', 'borrow'] as const) {
      const { bench, build, instructions } = built(action, setting(3n, 0n));
      const wallet = bench.accounts.token.address;
      const before = bench.balance(wallet);
      const promised = lendingOutcome(bench.accounts, build.action.amount, NOW).effect;
      expect(bench.failureOf(instructions)).toBeNull();
      const moved = bench.balance(wallet) - before;
      expect(moved).toBe(action === 'deposit' ? -promised.moved : promised.moved);
      const { liquidity, collateral } = bench.reserve(INDEX[action]);
      expect(liquidity.totalAvailableAmount).toBe(promised.reserve.liquidity.totalAvailableAmount);
      expect(liquidity.borrowedAmountSf).toBe(promised.reserve.liquidity.borrowedAmountSf);
      expect(collateral.mintTotalSupply).toBe(promised.reserve.collateral.mintTotalSupply);
    }
  });

  it('warns of nothing when the authority is the wallet itself, or pays the fees', () => {
    const own = setting(1n, 0n, { market: { permissioningAuthority: WALLET } });
    const { accounts, warnings, bench, instructions } = built('deposit', own);
    expect(accounts.at(-1)?.address).toBe(WALLET);
    expect(needs(warnings)).toEqual([]);
    expect(bench.failureOf(instructions)).toBeNull();
  });
});

describe('no permission is needed', () => {
  it.each<[string, LendingAction, LendingSetting]>([
    ['to repay', 'repay', setting(7n, 7n)],
    ['to withdraw', 'withdraw', setting(7n, 7n)],
    ['to deposit where only borrows and liquidations are permissioned', 'deposit', setting(6n, 6n)],
    ['to borrow where only deposits and liquidations are permissioned', 'borrow', setting(5n, 5n)],
  ])('%s', (_, action, given) => {
    const { accounts, warnings, bench, instructions } = built(action, given);
    expect(accounts.map(({ address }) => address)).not.toContain(AUTHORITY);
    expect(needs(warnings)).toEqual([]);
    expect(bench.failureOf(instructions)).toBeNull();
  });

  it('without an authority of the market, whatever the bits', () => {
    for (const action of ['deposit', 'borrow'] as const) {
      const { market: _, ...open } = setting(7n, 7n);
      const { accounts, bench, instructions } = built(action, { ...open, market: { permissionedOps: 7n } });
      const signers = accounts.filter(({ role }) => isSignerRole(role)).map(({ address }) => address);
      expect(signers).toEqual([WALLET]);
      expect(bench.failureOf(instructions)).toBeNull();
    }
  });
});

describe('the operations that need a permission', () => {
  const reserveWith = (bits: bigint) => depositBench(setting(0n, bits)).reserve(0);
  const market = { permissioningAuthority: AUTHORITY, permissionedOps: 1n };

  it('are those of the market and of the reserves acted on', () => {
    expect(permissionedOperations(market)).toEqual(['DEPOSIT']);
    expect(permissionedOperations(market, [reserveWith(4n)])).toEqual(['DEPOSIT', 'LIQUIDATE']);
    expect(permissionedOperations(market, [reserveWith(0n), reserveWith(2n)])).toEqual(['DEPOSIT', 'BORROW']);
    expect(permissionFor('BORROW', market, [reserveWith(4n)])).toBeNull();
    expect(permissionFor('LIQUIDATE', market, [reserveWith(0n), reserveWith(4n)])).toBe(AUTHORITY);
  });
});
