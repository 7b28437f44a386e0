import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/actions.ts';
import type { AmountInput } from '../../src/builders/amount.ts';
import { presentObligation } from '../../src/builders/lending-effects.ts';
import { lendingOutcome } from '../../src/builders/lending-preview.ts';
import { LENDING_ERRORS } from '../../src/programs/error-names.ts';
import { decodeInstruction, knownInstructions } from '../../src/programs/instructions.ts';
import type { EncodedInstruction } from '../../src/programs/layout/instruction.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { type ProgramResult, runProgram } from '../support/lending/program-rules.ts';
import { Chance, type RandomState, randomState } from '../support/lending/random-states.ts';
import { type LendingBench, lendingBench } from '../support/runtime/lending-bench.ts';

const known = knownInstructions(MAINNET_PROGRAMS);
/** Raise it for a long run; the default keeps the suite short. */
const STATES = Number(process.env.RUNTIME_FUZZ_RUNS ?? 300);

type Choice = (state: RandomState, chance: Chance, bench: LendingBench) => AmountInput;

const everything: Choice = () => ({ all: true });

const someAmount: Choice = ({ reserve, setting }, chance) => {
  const about = setting.deposits?.find(([index]) => index === reserve)?.[1] ?? 10n ** 9n;
  return { baseUnits: 1n + (chance.hit(0.1) ? chance.below(3n) : chance.below(about)) };
};

/** Within two base units of the maximum, on either side. */
const nearLimit: Choice = (state, chance, { accounts }) => {
  if (state.action === 'repay') return someAmount(state, chance, lendingBench(state.setting, 'repay', 2));
  const amount = lendingOutcome(accounts, 'all', NOW).effect.moved + chance.below(5n) - 2n;
  return { baseUnits: amount > 0n ? amount : 1n };
};

/** The refresh of the obligation and the action, of all the instructions that a wallet would sign. */
function essential(instructions: readonly EncodedInstruction[]) {
  return instructions.filter((each) => {
    const { name } = decodeInstruction(known, each);
    return name === 'refreshObligation' || name.endsWith('V2');
  });
}

function expectedOf(state: RandomState, bench: LendingBench, instructions: readonly EncodedInstruction[]) {
  const { market, reserves, farm, referrer, request } = bench.accounts;
  const last = instructions.at(-1);
  const amount = last === undefined ? undefined : decodeInstruction(known, last).args.liquidityAmount;
  if (typeof amount !== 'bigint') throw new Error('no amount');
  return runProgram({
    action: state.action,
    address: request.reserve,
    amount,
    market,
    obligation: presentObligation(bench.accounts),
    reserves,
    slot: NOW.slot,
    timestamp: NOW.timestamp,
    hasFarm: farm !== null,
    hasReferrer: referrer !== null,
  });
}

const debtOf = (bench: LendingBench, reserve: number) =>
  bench.obligation().borrows.find(({ borrowReserve }) => borrowReserve === reserveAddress(reserve))
    ?.borrowedAmountSf ?? 0n;

/** What the bench did, in the terms of the second implementation. */
function executed(state: RandomState, bench: LendingBench, instructions: readonly EncodedInstruction[]) {
  const refresh = instructions.slice(0, -1);
  const action = instructions.slice(-1);
  const refusal = bench.failureOf(refresh) ?? null;
  if (refusal !== null) return { refusal };
  const { address: wallet } = bench.accounts.token;
  const { supplyVault, feeVault } = bench.reserve(state.reserve).liquidity;
  const before = { wallet: bench.balance(wallet), debt: debtOf(bench, state.reserve) };
  const referrersBefore = bench.reserve(state.reserve).liquidity.accumulatedReferrerFeesSf;
  const failure = bench.failureOf(action);
  if (failure !== null) return { refusal: failure };
  const { liquidity } = bench.reserve(state.reserve);
  expect(liquidity.totalAvailableAmount).toBe(bench.balance(supplyVault));
  const sign = state.action === 'borrow' ? 1n : -1n;
  const referrerFee = (liquidity.accumulatedReferrerFeesSf - referrersBefore) >> 60n;
  return {
    refusal,
    moved: sign * (bench.balance(wallet) - before.wallet),
    fee: bench.balance(feeVault) + referrerFee,
    collateral: 0n,
    debt: sign * (debtOf(bench, state.reserve) - before.debt),
  };
}

function numberOf(refusal: ProgramResult['refusal']): number | string | null {
  if (refusal === null) return null;
  if (refusal === 'DivisionByZero') return 'ProgramFailedToComplete';
  return LENDING_ERRORS.first + LENDING_ERRORS.names.indexOf(refusal);
}

/** Compares all borrows and repayments; returns the results that occurred, as "action error". */
function results(choose: Choice): Set<string> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= STATES; seed += 1) {
    const state = randomState(seed);
    if (state.action !== 'borrow' && state.action !== 'repay') continue;
    const setting = { ...state.setting, balances: [10n ** 18n, 10n ** 18n, 10n ** 18n] };
    const bench = lendingBench(setting, state.action, state.reserve);
    const input = choose(state, new Chance(seed + 1_000_000), bench);
    const { instructions } = buildLending(bench.accounts, input, NOW).action;
    const run = essential(instructions);
    const { refusal, ...amounts } = expectedOf(state, bench, run);
    const wanted = refusal === null ? { refusal, ...amounts } : { refusal: numberOf(refusal) };
    expect({ seed, ...executed(state, bench, run) }).toEqual({ seed, ...wanted });
    seen.add(`${state.action} ${refusal ?? 'accepted'}`);
  }
  return seen;
}

describe('borrow and repay on the embedded chain, against a second implementation of the program', () => {
  it('"all": the same amounts to the last bit, or the same error', () => {
    const seen = results(everything);
    const wanted = [
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow BorrowingAboveUtilizationRateDisabled',
      'borrow ElevationGroupBorrowLimitExceeded',
      'borrow WithdrawalCapReached',
      'repay accepted',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('exact amounts: the same amounts to the last bit, or the same error', () => {
    const seen = results(someAmount);
    const wanted = [
      'borrow accepted',
      'borrow BorrowTooLarge',
      'borrow BorrowTooSmall',
      'borrow InsufficientLiquidity',
      'repay accepted',
      'repay NetValueRemainingTooSmall',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('amounts around the maximum: accepted and refused at the same base unit', () => {
    const seen = results(nearLimit);
    expect(['borrow accepted', 'borrow BorrowTooLarge'].filter((each) => !seen.has(each))).toEqual([]);
  });
});
