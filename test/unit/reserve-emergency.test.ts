import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import {
  type LendingSetting,
  NOW,
  type ReserveSetting,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { depositBench } from '../support/localnet/deposit-bench.ts';

/**
 * Reserves in emergency mode: what the builders warn of, beside the error of the localnet. Error numbers are those of
 * the program: 6175 for an action on the reserve, 6017 for one that demands its price through the obligation.
 */

const { klend } = MAINNET_PROGRAMS;
const EMERGENCY: ReserveSetting = { config: { emergencyMode: 1 } };
const OPEN: ReserveSetting = {};

/** 1000 USD deposited in reserve 0 and 10 in reserve 2; 100 owed in reserve 1. */
const positions = (reserves: readonly ReserveSetting[]): LendingSetting => ({
  reserves,
  deposits: [
    [0, 1_000_000_000n],
    [2, 10_000_000n],
  ],
  borrows: [[1, 100_000_000n]],
  balances: [10n ** 12n, 10n ** 12n, 10n ** 12n],
});

function attempt(action: LendingAction, index: number, setting: LendingSetting) {
  const bench = depositBench(setting, action, index);
  const built = buildLending(bench.accounts, { baseUnits: 5_000_000n }, NOW);
  const instructions = built.action.instructions.filter(({ programAddress }) => programAddress === klend);
  const { warnings } = built.preview();
  const errors = warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);
  return { bench, warnings, errors, failure: bench.failureOf(instructions) };
}

describe('a reserve in emergency mode', () => {
  it.each([
    ['deposit', 0, 'ACTION_NOT_ALLOWED'],
    ['withdraw', 0, 'ACTION_NOT_ALLOWED'],
    ['repay', 1, 'ACTION_NOT_ALLOWED'],
    ['borrow', 1, 'BORROW_NOT_ALLOWED'],
  ] as const)('accepts no %s: 6175', (action, index, code) => {
    const open = attempt(action, index, positions([OPEN, OPEN, OPEN]));
    expect(open).toMatchObject({ errors: [], failure: null });
    const reserves = [0, 1, 2].map((each) => (each === index ? EMERGENCY : OPEN));
    const { errors, failure, warnings } = attempt(action, index, positions(reserves));
    expect(failure).toBe(6175);
    expect(errors).toEqual([code]);
    expect(warnings.find((each) => each.code === 'RESERVE_NOT_ACTIVE')?.message).toMatch(
      /rejects every action/,
    );
  });

  it.each([
    ['borrow', 1, 'BORROW_NOT_ALLOWED', 6017],
    ['withdraw', 0, 'ACTION_NOT_ALLOWED', 6017],
    ['deposit', 0, null, null],
    ['repay', 1, null, null],
  ] as const)('with a position of the obligation: %s in another reserve', (action, index, code, number) => {
    const { errors, failure, warnings } = attempt(action, index, positions([OPEN, OPEN, EMERGENCY]));
    expect(failure).toBe(number);
    expect(errors).toEqual(code === null ? [] : [code]);
    const told = warnings.find((each) => each.code === (code ?? 'PRICE_STALE'));
    expect(told?.message).toMatch(/in emergency mode/);
  });

  it('lets an obligation without debt withdraw from another reserve', () => {
    const setting = { ...positions([OPEN, OPEN, EMERGENCY]), borrows: [] };
    expect(attempt('withdraw', 0, setting)).toMatchObject({ errors: [], failure: null });
  });

  it('keeps its price at a refresh, without its time and its checks', () => {
    const reserves = [OPEN, OPEN, { ...EMERGENCY, priceUsd: 7n, oracle: { priceUsd: 9n } }];
    const { bench, failure } = attempt('deposit', 0, positions(reserves));
    expect(failure).toBeNull();
    const { liquidity, lastUpdate } = bench.reserve(2);
    expect(liquidity).toMatchObject({ marketPriceSf: 7n << 60n, marketPriceLastUpdatedTs: 0n });
    expect(lastUpdate).toMatchObject({ priceStatus: 0, slot: NOW.slot });
    const held = obligation.decode(bench.account(bench.obligationAddress), klend);
    const value = held.deposits.find(({ depositReserve }) => depositReserve === reserveAddress(2));
    // 10 tokens at 7 USD: the values use the price that is left.
    expect(value?.marketValueSf).toBe(70n << 60n);
  });
});
