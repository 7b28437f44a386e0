import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { Amount, AmountInput } from '../../src/builders/amount.ts';
import type { BuiltAction } from '../../src/builders/built-instruction.ts';
import { type LendingAccounts, lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { presentObligation } from '../../src/builders/lending/effects.ts';
import { lendingOutcome } from '../../src/builders/lending/preview.ts';
import { lendingWarnings } from '../../src/builders/lending/warnings.ts';
import type { WarningCode } from '../../src/builders/warnings.ts';
import {
  lendingChain,
  lendingRequest,
  NOW,
  reserveAddress,
  SLOT,
} from '../support/builders/lending-accounts.ts';
import { type ProgramResult, runProgram } from '../support/lending/program-rules.ts';
import { Chance, type RandomState, randomState } from '../support/lending/random-states.ts';

const known = knownInstructions(MAINNET_PROGRAMS);
/** Raise it for a long run; the default keeps the suite short. */
const STATES = Number(process.env.BUILDER_FUZZ_RUNS ?? 300);

/** The warning for each error of the program. */
const WARNING_OF: Readonly<Record<string, readonly WarningCode[]>> = {
  InvalidAmount: ['AMOUNT_BELOW_MINIMUM'],
  BorrowTooSmall: ['AMOUNT_BELOW_MINIMUM'],
  WithdrawTooSmall: ['AMOUNT_BELOW_MINIMUM'],
  NetValueRemainingTooSmall: ['AMOUNT_BELOW_MINIMUM'],
  DepositLimitExceeded: ['DEPOSIT_LIMIT_EXCEEDED'],
  BorrowLimitExceeded: ['BORROW_LIMIT_EXCEEDED'],
  ElevationGroupBorrowLimitExceeded: ['BORROW_LIMIT_EXCEEDED'],
  InsufficientLiquidity: ['LIQUIDITY_TOO_LOW'],
  WithdrawalCapReached: ['OUTFLOW_CAP_EXCEEDED'],
  BorrowingAboveUtilizationRateDisabled: ['UTILIZATION_BLOCK'],
  BorrowTooLarge: ['COLLATERAL_TOO_LOW'],
  WithdrawTooLarge: ['COLLATERAL_TOO_LOW'],
  MaximumWithdrawValueZero: ['COLLATERAL_TOO_LOW'],
  LiabilitiesBiggerThanAssets: ['COLLATERAL_TOO_LOW'],
  WorseLtvThanUnhealthyLtv: ['COLLATERAL_TOO_LOW'],
};
/** Every other error concerns the state of market, reserve or obligation. */
const NOT_ALLOWED: readonly WarningCode[] = ['BORROW_NOT_ALLOWED', 'ACTION_NOT_ALLOWED'];

function accountsOf({ action, reserve, setting }: RandomState): LendingAccounts {
  const request = lendingRequest(action, { reserve: reserveAddress(reserve) });
  return lendingAccounts(request, lendingChain(setting), SLOT);
}

/** Executes the built instruction on the second implementation. */
function programResult(accounts: LendingAccounts, { instructions }: BuiltAction): ProgramResult {
  const { request, market, reserves, farm, referrer } = accounts;
  const steps = instructions.map((each) => decodeInstruction(known, each));
  const args = steps.find(({ name }) => name.endsWith('V2'))?.args;
  const amount = args?.liquidityAmount ?? args?.collateralAmount;
  if (typeof amount !== 'bigint') throw new Error('no amount');
  return runProgram({
    action: request.action,
    address: request.reserve,
    amount,
    market,
    obligation: presentObligation(accounts),
    reserves,
    slot: NOW.slot,
    timestamp: NOW.timestamp,
    hasFarm: farm !== null,
    hasReferrer: referrer !== null,
  });
}

interface Compared {
  readonly seed: number;
  readonly state: RandomState;
  readonly input: AmountInput;
}

/** Compares one action; returns the program's error, null when it accepts. */
function compare({ seed, state, input }: Compared): string | null {
  const accounts = accountsOf(state);
  const { action } = buildLending(accounts, input, NOW);
  const expected = programResult(accounts, action);
  const asked: Amount = action.all ? 'all' : action.amount;
  const outcome = lendingOutcome(accounts, asked, NOW);
  const errors = lendingWarnings(accounts, action, outcome, NOW)
    .filter(({ level }) => level === 'ERROR')
    .map(({ code }) => code);
  const label = `seed ${seed}: ${state.action} ${asked}`;
  if (expected.refusal !== null) {
    const codes = WARNING_OF[expected.refusal] ?? NOT_ALLOWED;
    const found = errors.some((code) => codes.includes(code));
    expect(found, `${label}: ${expected.refusal} but ${errors.join() || 'no error'}`).toBe(true);
    return expected.refusal;
  }
  const { moved, originationFee: fee, collateral, debtSf: debt } = outcome.effect;
  const amounts = { moved, fee, collateral, debt };
  expect({ label, errors }).toEqual({ label, errors: [] });
  for (const name of ['moved', 'fee', 'collateral', 'debt'] as const) {
    expect(amounts[name], `${label}: ${name}`).toBe(expected[name]);
  }
  return null;
}

type Choice = (state: RandomState, chance: Chance) => AmountInput;

const everything: Choice = ({ action }, chance) =>
  action === 'deposit' ? { baseUnits: chance.magnitude(0, 12) } : { all: true };

const someAmount: Choice = ({ reserve, setting }, chance) => {
  const about = setting.deposits?.find(([index]) => index === reserve)?.[1] ?? 10n ** 9n;
  return { baseUnits: 1n + (chance.hit(0.1) ? chance.below(3n) : chance.below(about)) };
};

/** An amount within two base units of the maximum, on either side; deposits and repayments have no such maximum. */
const nearLimit: Choice = (state, chance) => {
  if (state.action === 'deposit' || state.action === 'repay') return someAmount(state, chance);
  const most = lendingOutcome(accountsOf(state), 'all', NOW).effect.moved;
  const amount = most + chance.below(5n) - 2n;
  return { baseUnits: amount > 0n ? amount : 1n };
};

/** Compares all states; returns the results that occurred, as "action error". */
function results(choose: Choice, accrues: boolean): Set<string> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= STATES; seed += 1) {
    const state = randomState(seed, accrues);
    const input = choose(state, new Chance(seed + 1_000_000));
    const refusal = compare({ seed, state, input });
    seen.add(`${state.action} ${refusal ?? 'accepted'}`);
  }
  return seen;
}

const missing = (seen: ReadonlySet<string>, wanted: readonly string[]) =>
  wanted.filter((each) => !seen.has(each));

describe('lending actions against a second implementation of the program', () => {
  it('"all": the same amounts to the base unit, refused exactly when the program refuses', () => {
    const wanted = [
      'deposit accepted',
      'deposit DepositLimitExceeded',
      'deposit ReserveEmergencyMode',
      'deposit OperationNotPermittedWithCurrentObligationOrders',
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow BorrowingAboveUtilizationRateDisabled',
      'borrow ElevationGroupBorrowLimitExceeded',
      'borrow ObligationStale',
      'borrow WithdrawalCapReached',
      'repay accepted',
      'repay ReserveEmergencyMode',
      'withdraw accepted',
      'withdraw InsufficientLiquidity',
      'withdraw ObligationStale',
      'withdraw ReserveEmergencyMode',
      'withdraw MaximumWithdrawValueZero',
      'withdraw ObligationInObsoleteReserve',
      'withdraw WithdrawalCapReached',
    ];
    expect(missing(results(everything, false), wanted)).toEqual([]);
  });

  it('exact amounts: the same amounts to the base unit, refused exactly when the program refuses', () => {
    const wanted = [
      'deposit InvalidAmount',
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow InsufficientLiquidity',
      'repay accepted',
      'repay NetValueRemainingTooSmall',
      'withdraw accepted',
      'withdraw WithdrawTooLarge',
      'withdraw InsufficientLiquidity',
    ];
    expect(missing(results(someAmount, false), wanted)).toEqual([]);
  });

  it('amounts around the maximum: accepted and refused at the same base unit', () => {
    const wanted = [
      'borrow accepted',
      'borrow BorrowTooLarge',
      'withdraw accepted',
      'withdraw WithdrawTooLarge',
    ];
    expect(missing(results(nearLimit, false), wanted)).toEqual([]);
  });

  it('reserves that accrue interest first: the same amounts to the base unit', () => {
    const seen = results(everything, true);
    expect(missing(seen, ['borrow accepted', 'repay accepted', 'withdraw accepted'])).toEqual([]);
  });
});
