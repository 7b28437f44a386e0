import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltInstruction } from '../../src/builders/built-instruction.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  REFERRER,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import {
  swappable as bench,
  type DepositWithdrawBench,
  isDepositAndWithdraw as isCall,
  RICH,
} from '../support/localnet/deposit-withdraw-bench.ts';

/**
 * Collateral swapped by one instruction on the localnet: 1000 USD in reserve 1 against 800 owed in reserve 0, with limits of
 * 750 and 850, move to reserve 2.
 */

const { klend, farms } = MAINNET_PROGRAMS;
const TEN = 10_000_000n;
const OTHER = addressNumber(990);

const instructionsOf = (on: DepositWithdrawBench, deposit = TEN, withdraw: bigint | 'all' = TEN, to = 2) =>
  on.build(1, to, deposit, withdraw).instructions;

const attempt = (on: DepositWithdrawBench, deposit = TEN, withdraw: bigint | 'all' = TEN) =>
  on.failureOf(instructionsOf(on, deposit, withdraw));

/** With other addresses in place of the accounts of these names. */
const replaced = (instructions: readonly BuiltInstruction[], by: Readonly<Record<string, Address>>) =>
  instructions.map((each) => ({
    ...each,
    accounts: each.accounts.map((account, i) => {
      const address = isCall(each) ? by[each.labels[i] ?? ''] : undefined;
      return address === undefined ? account : { ...account, address };
    }),
  }));

/** Reserves 1 and 2 in an elevation group for debt of reserve 0, whose limits are 75 and 85 %, too. */
const grouped = (maxReservesAsCollateral: number, more: LendingSetting = {}) => {
  const member = { config: { elevationGroups: Uint8Array.of(1) } };
  return bench({
    reserves: [member, member, member],
    market: {
      elevationGroups: [
        {
          id: 1,
          ltvPct: 75,
          liquidationThresholdPct: 85,
          allowNewLoans: 1,
          maxReservesAsCollateral,
          debtReserve: reserveAddress(0),
        },
      ],
    },
    change: { hasDebt: 1, elevationGroup: 1 },
    ...more,
  });
};

describe('depositAndWithdraw', () => {
  it('moves collateral of a loan above its maximum LTV, and leaves it above', () => {
    const on = bench();
    const { instructions, errors } = on.build(1, 2, TEN, TEN);
    expect(errors).toEqual([]);
    expect(on.failureOf(instructions)).toBeNull();
    const {
      deposits,
      borrowFactorAdjustedDebtValueSf: debtSf,
      depositedValueSf,
      lastUpdate,
    } = on.obligation();
    expect(deposits.slice(0, 2).map((each) => [each.depositReserve, each.depositedAmount])).toEqual([
      [reserveAddress(1), 990_000_000n],
      [reserveAddress(2), TEN],
    ]);
    expect([debtSf, depositedValueSf, lastUpdate.stale]).toEqual([
      800n * FRACTION_ONE,
      1_000n * FRACTION_ONE,
      1,
    ]);
    expect([1, 2].map((index) => on.reserve(index).lastUpdate.stale)).toEqual([1, 0]);
    expect([on.walletUnits(1), on.walletUnits(2)]).toEqual([RICH + TEN, RICH - TEN]);
    const both = [1, 2].map((index) => on.reserve(index).collateral.mintTotalSupply);
    expect(both).toEqual([10n ** 12n - TEN, 10n ** 12n + TEN]);
  });

  it('moves all of it, and takes the old deposit out of its slot', () => {
    const on = bench();
    expect(attempt(on, 1_000_000_000n, 'all')).toBeNull();
    const held = on.obligation().deposits.filter(({ depositedAmount }) => depositedAmount > 0n);
    expect(held.map((each) => [each.depositReserve, each.depositedAmount])).toEqual([
      [reserveAddress(2), 1_000_000_000n],
    ]);
  });

  it('closes a deposit in the reserve of the debt, whose account it then refreshes as that of the debt', () => {
    const on = bench({
      referred: true,
      deposits: [
        [1, 900_000_000n],
        [0, 100_000_000n],
      ],
    });
    const { instructions, errors } = on.build(0, 2, 100_000_000n, 'all');
    expect(errors).toEqual([]);
    expect(on.failureOf(instructions)).toBeNull();
    const { deposits, borrows } = on.obligation();
    const held = deposits.map((each) => [each.depositReserve, each.depositedAmount]);
    expect(held.filter(([, amount]) => amount !== 0n)).toEqual([
      [reserveAddress(1), 900_000_000n],
      [reserveAddress(2), 100_000_000n],
    ]);
    expect(borrows[0]?.borrowedAmountSf).toBe(800_000_000n * FRACTION_ONE);
  });

  it('rescues a loan that can be liquidated', () => {
    const on = bench({ borrows: [[0, 870_000_000n]] });
    expect(attempt(on, 60_000_000n, 10_000_000n)).toBeNull();
    expect(on.obligation().depositedValueSf).toBe(1_050n * FRACTION_ONE);
  });

  it('without debts works within every limit', () => {
    const on = bench({ borrows: [] });
    expect(attempt(on, 1n, 'all')).toBeNull();
  });

  it.each<[number, string, () => DepositWithdrawBench, bigint, bigint | 'all']>([
    [6093, 'an LTV that would rise by a base unit', bench, TEN - 1n, TEN],
    [6093, 'all of the deposit for a smaller one', bench, 999_000_000n, 'all'],
    [6011, 'more than the liquidation threshold allows', bench, TEN, 500_000_000n],
    [6116, 'a loan that stays above the threshold', () => bench({ borrows: [[0, 870_000_000n]] }), TEN, TEN],
    [
      6003,
      'a deposit of no collateral token',
      () => bench({ reserves: [{}, {}, { collateral: 1n }] }),
      1n,
      1n,
    ],
    [
      6090,
      'a deposit limit',
      () => bench({ reserves: [{}, {}, { config: { depositLimit: 10n ** 12n } }] }),
      TEN,
      TEN,
    ],
    [
      6092,
      'a rest of the old deposit that would be too small',
      () => bench({ market: { minNetValueInObligationSf: 2n * FRACTION_ONE } }),
      999_000_000n,
      999_000_000n,
    ],
    [
      6008,
      'more than the reserve has',
      () => bench({ reserves: [{}, { available: 5_000_000n, borrowed: 999_995_000_000n }, {}] }),
      TEN,
      TEN,
    ],
    [
      6117,
      'a new deposit with a maximum LTV of 0',
      () => bench({ reserves: [{}, {}, { config: { loanToValuePct: 0 } }] }),
      TEN,
      TEN,
    ],
    [
      6118,
      'a new deposit with a lower maximum LTV',
      () => bench({ reserves: [{}, {}, { config: { loanToValuePct: 74 } }] }),
      TEN,
      TEN,
    ],
    [
      6119,
      'as much as the threshold allows, where the last base unit vanishes in rounding',
      fine,
      123_457n,
      'all',
    ],
    [6106, 'a deposit too many in its elevation group', () => grouped(1), TEN, TEN],
    [6068, 'a reserve outside the elevation group', () => outsider(), TEN, TEN],
  ])('%s: %s', (code, _, start, deposit, withdraw) => {
    const on = start();
    const { instructions, errors } = on.build(1, 2, deposit, withdraw);
    expect({ errors: errors.length > 0, failure: on.failureOf(instructions) }).toEqual({
      errors: true,
      failure: code,
    });
  });

  /** Reserve 1 counts in units of 10^-18 tokens of 3 USD. */
  function fine() {
    const available = 4n * 10n ** 18n;
    return bench({
      reserves: [{}, { decimals: 18, priceUsd: 3n, available, borrowed: 0n, collateral: available }, {}],
      deposits: [[1, 3n * 10n ** 18n]],
      borrows: [[0, 7_200_000n]],
    });
  }

  function outsider() {
    const on = grouped(2);
    on.change(reserve, reserveAddress(2), { config: { elevationGroups: Uint8Array.of(0) } });
    return on;
  }

  it('counts the deposits of an elevation group at its end', () => {
    const on = grouped(1);
    expect(on.build(1, 2, 1_000_000_000n, 'all').errors).toEqual([]);
    expect(attempt(on, 1_000_000_000n, 'all')).toBeNull();
    const counted = [1, 2].map(
      (index) => on.reserve(index).borrowedAmountsAgainstThisReserveInElevationGroups[0],
    );
    expect(counted).toEqual([0n, 800_000_000n]);
    const two = grouped(2);
    expect(attempt(two)).toBeNull();
  });

  it('6133: one reserve on both sides', () => {
    const on = bench();
    expect(on.failureOf(instructionsOf(on, TEN, TEN, 1))).toBe(6133);
  });

  it('6020: deposits without value', () => {
    const on = bench();
    const instructions = instructionsOf(on);
    on.change(obligation, on.obligationAddress, { depositedValueSf: 0n });
    expect(on.failureOf(instructions.filter(isCall))).toBe(6020);
  });

  it('6017, 6009: an obligation or a reserve that is not refreshed', () => {
    const on = bench();
    const instructions = instructionsOf(on);
    on.change(obligation, on.obligationAddress, {
      depositedValueSf: FRACTION_ONE,
      lastUpdate: { stale: 1 },
    });
    expect(on.failureOf(instructions.filter(isCall))).toBe(6017);
    const refreshed = bench();
    const built = instructionsOf(refreshed);
    refreshed.run(built.filter((each) => !isCall(each)));
    refreshed.change(reserve, reserveAddress(1), { lastUpdate: { stale: 1 } });
    expect(refreshed.failureOf(built.filter(isCall))).toBe(6009);
  });

  it('6006: the accounts of the refresh before the deposit', () => {
    const on = bench();
    const instructions = instructionsOf(on).map((each) =>
      isCall(each) ? { ...each, accounts: each.accounts.toSpliced(34, 1) } : each,
    );
    expect(on.failureOf(instructions)).toBe(6006);
  });

  it('6112, 6113: halves of different wallets and obligations', () => {
    const on = bench();
    const instructions = instructionsOf(on);
    on.set(OTHER, on.account(on.obligationAddress));
    expect(on.failureOf(replaced(instructions, { withdrawObligation: OTHER }))).toBe(6113);
    on.change(obligation, OTHER, { owner: REFERRER });
    const { mintPubkey } = on.reserve(1).liquidity;
    const account = addressNumber(991);
    on.setBalance(account, mintPubkey, REFERRER, 0n);
    const ofAnother = {
      withdrawOwner: REFERRER,
      withdrawObligation: OTHER,
      withdrawUserDestinationLiquidity: account,
    };
    expect(on.failureOf(replaced(instructions, ofAnother))).toBe(6112);
  });

  it('6042, 6175: in an emergency of the market or of a reserve', () => {
    const market = bench();
    const instructions = instructionsOf(market);
    market.change(lendingMarket, MARKET, { emergencyMode: 1 });
    expect(market.failureOf(instructions.filter(isCall))).toBe(6042);
    for (const index of [1, 2]) {
      const on = bench();
      const built = instructionsOf(on);
      on.change(reserve, reserveAddress(index), { config: { emergencyMode: 1 } });
      expect(on.failureOf(built)).toBe(6175);
    }
  });

  it('6183, 3010: with the permission of a deposit only, where the market demands one', () => {
    const on = bench({ market: { permissioningAuthority: OTHER, permissionedOps: 1n } });
    const instructions = instructionsOf(on);
    const call = instructions.findIndex(isCall);
    const withCall = (change: (accounts: BuiltInstruction['accounts']) => BuiltInstruction['accounts']) =>
      instructions.map((each, i) => (i === call ? { ...each, accounts: change(each.accounts) } : each));
    expect(on.failureOf(withCall((accounts) => accounts.slice(0, -1)))).toBe(6183);
    const unsigned = (accounts: BuiltInstruction['accounts']) =>
      accounts.map((each) => (each.address === OTHER ? { ...each, role: AccountRole.READONLY } : each));
    expect(on.failureOf(withCall(unsigned))).toBe(3010);
    expect(on.failureOf(instructions)).toBeNull();
  });

  it('6120: without the farm accounts of either side; with them both stakes are set', () => {
    const farmed = () => bench({ reserves: [{}, { farmCollateral: true }, { farmCollateral: true }] });
    const on = farmed();
    const instructions = instructionsOf(on);
    for (const side of ['deposit', 'withdraw']) {
      const without = replaced(instructions, { [`${side}ObligationFarmUserState`]: klend });
      expect(on.failureOf(without)).toBe(6120);
    }
    expect(on.failureOf(instructions)).toBeNull();
    const stakes = [1, 2].map((index) => {
      const { address } = farmUserState(farms, on.reserve(index).farmCollateral, on.obligationAddress);
      return userState.decode(on.account(address), farms).activeStakeScaled;
    });
    expect(stakes).toEqual([990_000_000n, TEN]);
  });
});
