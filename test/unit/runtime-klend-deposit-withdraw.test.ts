import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/actions.ts';
import type { AmountInput } from '../../src/builders/amount.ts';
import { presentObligation } from '../../src/builders/lending-effects.ts';
import { lendingOutcome } from '../../src/builders/lending-preview.ts';
import { LENDING_ERRORS } from '../../src/programs/error-names.ts';
import { decodeInstruction, knownInstructions } from '../../src/programs/instructions.ts';
import { obligation } from '../../src/programs/klend/obligation.ts';
import type { EncodedInstruction } from '../../src/programs/layout/instruction.ts';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '../../src/programs/program-ids.ts';
import { NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { runProgram } from '../support/lending/program-rules.ts';
import { Chance, type RandomState, randomState } from '../support/lending/random-states.ts';
import { type DepositBench, depositBench } from '../support/runtime/deposit-bench.ts';

const known = knownInstructions(MAINNET_PROGRAMS);
/** Raise it for a long run; the default keeps the suite short. */
const STATES = Number(process.env.RUNTIME_FUZZ_RUNS ?? 600);

type Choice = (state: RandomState, chance: Chance, bench: DepositBench) => AmountInput;

const everything: Choice = () => ({ all: true });

const someAmount: Choice = ({ reserve, setting }, chance) => {
  const about = setting.deposits?.find(([index]) => index === reserve)?.[1] ?? 10n ** 9n;
  return { baseUnits: 1n + (chance.hit(0.1) ? chance.below(3n) : chance.below(about)) };
};

/** Within two base units of the maximum, on either side. */
const nearLimit: Choice = (_, chance, { accounts }) => {
  const amount = lendingOutcome(accounts, 'all', NOW).effect.moved + chance.below(5n) - 2n;
  return { baseUnits: amount > 0n ? amount : 1n };
};

/** The refresh of the obligation and the action, of all the instructions that a wallet would sign. */
function essential(instructions: readonly EncodedInstruction[]): EncodedInstruction[] {
  return instructions.filter((each) => {
    const { name } = decodeInstruction(known, each);
    return name === 'refreshObligation' || name.endsWith('V2');
  });
}

function amountOf(instructions: readonly EncodedInstruction[]): bigint {
  const last = instructions.at(-1);
  const args = last === undefined ? {} : decodeInstruction(known, last).args;
  const amount = args.liquidityAmount ?? args.collateralAmount;
  if (typeof amount !== 'bigint') throw new Error('no amount');
  return amount;
}

function expectedOf(state: RandomState, bench: DepositBench, amount: bigint) {
  const { market, reserves, farm, referrer, request } = bench.accounts;
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

const isClosed = (bench: DepositBench) => bench.account(bench.obligationAddress).owner === SYSTEM_PROGRAM;

/** Collateral tokens of the obligation in a reserve; 0 once it is closed. */
function heldBy(bench: DepositBench, reserve: number): bigint {
  if (isClosed(bench)) return 0n;
  const { deposits } = obligation.decode(bench.account(bench.obligationAddress), MAINNET_PROGRAMS.klend);
  return deposits.find((each) => each.depositReserve === reserveAddress(reserve))?.depositedAmount ?? 0n;
}

/** What the bench did, in the terms of the second implementation. */
function executed(
  { action, reserve }: RandomState,
  bench: DepositBench,
  steps: readonly EncodedInstruction[],
) {
  const refusal = bench.failureOf(steps.slice(0, -1));
  if (refusal !== null) return { refusal };
  const wallet = bench.accounts.token.address;
  const before = { wallet: bench.balance(wallet), held: heldBy(bench, reserve) };
  const failure = bench.failureOf(steps.slice(-1));
  if (failure !== null) return { refusal: failure };
  const { liquidity, collateral } = bench.reserve(reserve);
  expect(liquidity.totalAvailableAmount).toBe(bench.balance(liquidity.supplyVault));
  expect(collateral.mintTotalSupply).toBe(bench.balance(collateral.supplyVault));
  expect(collateral.mintTotalSupply).toBe(bench.collateralSupply(reserve));
  const sign = action === 'deposit' ? 1n : -1n;
  return {
    refusal: null,
    moved: sign * (before.wallet - bench.balance(wallet)),
    fee: 0n,
    collateral: sign * (heldBy(bench, reserve) - before.held),
    debt: 0n,
  };
}

function numberOf(refusal: string): number | string {
  if (refusal === 'DivisionByZero') return 'ProgramFailedToComplete';
  return LENDING_ERRORS.first + LENDING_ERRORS.names.indexOf(refusal);
}

/** Compares all deposits and withdrawals; returns the results that occurred, as "action error". */
function results(choose: Choice): Set<string> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= STATES; seed += 1) {
    const state = randomState(seed);
    if (state.action !== 'deposit' && state.action !== 'withdraw') continue;
    const setting = { ...state.setting, balances: [10n ** 18n, 10n ** 18n, 10n ** 18n] };
    const bench = depositBench(setting, state.action, state.reserve);
    const input = choose(state, new Chance(seed + 1_000_000), bench);
    const steps = essential(buildLending(bench.accounts, input, NOW).action.instructions);
    const { refusal, ...amounts } = expectedOf(state, bench, amountOf(steps));
    const wanted = refusal === null ? { refusal, ...amounts } : { refusal: numberOf(refusal) };
    expect({ seed, ...executed(state, bench, steps) }).toEqual({ seed, ...wanted });
    seen.add(`${state.action} ${refusal ?? (isClosed(bench) ? 'closed' : 'accepted')}`);
  }
  return seen;
}

describe('deposit and withdraw on the embedded chain, against a second implementation of the program', () => {
  it('"all": the same amounts to the base unit, or the same error', () => {
    const seen = results(everything);
    const wanted = [
      'deposit DepositLimitExceeded',
      'deposit InconsistentElevationGroup',
      'deposit ReserveObsolete',
      'withdraw accepted',
      'withdraw closed',
      'withdraw ElevationGroupNewLoansDisabled',
      'withdraw InsufficientLiquidity',
      'withdraw MaximumWithdrawValueZero',
      'withdraw NetValueRemainingTooSmall',
      'withdraw ObligationInObsoleteReserve',
      'withdraw WithdrawalCapReached',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('exact amounts: the same amounts to the base unit, or the same error', () => {
    const seen = results(someAmount);
    const wanted = [
      'deposit accepted',
      'deposit DepositDisabledOutsideElevationGroup',
      'deposit GlobalEmergencyMode',
      'deposit InvalidAmount',
      'deposit NetValueRemainingTooSmall',
      'deposit OperationNotPermittedWithCurrentObligationOrders',
      'withdraw accepted',
      'withdraw WithdrawTooLarge',
    ];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });

  it('amounts around the maximum: accepted and refused at the same base unit', () => {
    const seen = results(nearLimit);
    const wanted = ['withdraw accepted', 'withdraw closed', 'withdraw WithdrawTooLarge'];
    expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  });
});
