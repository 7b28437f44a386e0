import { LENDING_ERRORS } from '@sluice/protocol/error-names';
import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { expect } from 'vitest';
import type { AmountInput } from '../../../src/builders/amount.ts';
import { buildLending } from '../../../src/builders/lending/action.ts';
import { presentObligation } from '../../../src/builders/lending/effects.ts';
import { lendingOutcome } from '../../../src/builders/lending/preview.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import { type LendingSetting, NOW } from '../builders/lending-accounts.ts';
import { type ProgramResult, runProgram } from '../lending/program-rules.ts';
import { Chance, type RandomState, randomState } from '../lending/random-states.ts';
import type { LendingBench } from './lending-bench.ts';

const known = knownInstructions(MAINNET_PROGRAMS);

/** Chooses the amount of an action. */
export type Choice = (state: RandomState, chance: Chance, bench: LendingBench) => AmountInput;

export const everything: Choice = () => ({ all: true });

export const someAmount: Choice = ({ reserve, setting }, chance) => {
  const about = setting.deposits?.find(([index]) => index === reserve)?.[1] ?? 10n ** 9n;
  return { baseUnits: 1n + (chance.hit(0.1) ? chance.below(3n) : chance.below(about)) };
};

/** Within two base units of the maximum, on either side. */
export const nearLimit: Choice = (_, chance, { accounts }) => {
  const amount = lendingOutcome(accounts, 'all', NOW).effect.moved + chance.below(5n) - 2n;
  return { baseUnits: amount > 0n ? amount : 1n };
};

/** Actions on the localnet that are compared with a second implementation of the program. */
export interface ComparedActions<B extends LendingBench> {
  readonly actions: readonly LendingAction[];
  /** Random states to try, of all actions. */
  readonly states: number;
  bench(setting: LendingSetting, action: LendingAction, reserve: number): B;
  /** Called before the action. Returns what it has done, in the terms of the second implementation. */
  observe(state: RandomState, bench: B): () => Omit<ProgramResult, 'refusal'>;
  /** The result of an accepted action, where there are several. */
  accepted?(bench: B): string;
}

/** Expects the same amounts to the last bit, or the same error; returns the results that occurred, as "action error". */
export function comparedResults<B extends LendingBench>(
  compared: ComparedActions<B>,
  choose: Choice,
): Set<string> {
  const seen = new Set<string>();
  for (let seed = 1; seed <= compared.states; seed += 1) {
    const state = randomState(seed);
    if (!compared.actions.includes(state.action)) continue;
    const setting = { ...state.setting, balances: [10n ** 18n, 10n ** 18n, 10n ** 18n] };
    const bench = compared.bench(setting, state.action, state.reserve);
    const input = choose(state, new Chance(seed + 1_000_000), bench);
    const steps = essential(buildLending(bench.accounts, input, NOW).action.instructions);
    const { refusal, ...amounts } = expectedOf(state, bench, amountOf(steps));
    const wanted = refusal === null ? { refusal, ...amounts } : { refusal: numberOf(refusal) };
    expect({ seed, ...executed(compared, state, bench, steps) }).toEqual({ seed, ...wanted });
    seen.add(`${state.action} ${refusal ?? compared.accepted?.(bench) ?? 'accepted'}`);
  }
  return seen;
}

/** The refresh of the obligation and the action, of all the instructions that a wallet would sign. */
export function essential(instructions: readonly EncodedInstruction[]): EncodedInstruction[] {
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

function expectedOf({ action }: RandomState, { accounts }: LendingBench, amount: bigint): ProgramResult {
  const { market, reserves, farm, referrer, request } = accounts;
  return runProgram({
    action,
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

function executed<B extends LendingBench>(
  compared: ComparedActions<B>,
  state: RandomState,
  bench: B,
  steps: readonly EncodedInstruction[],
) {
  const refusal = bench.failureOf(steps.slice(0, -1));
  if (refusal !== null) return { refusal };
  const done = compared.observe(state, bench);
  const failure = bench.failureOf(steps.slice(-1));
  if (failure !== null) return { refusal: failure };
  const { liquidity } = bench.reserve(state.reserve);
  expect(liquidity.totalAvailableAmount).toBe(bench.balance(liquidity.supplyVault));
  return { refusal: null, ...done() };
}

function numberOf(refusal: string): number | string {
  if (refusal === 'DivisionByZero') return 'ProgramFailedToComplete';
  return LENDING_ERRORS.first + LENDING_ERRORS.names.indexOf(refusal);
}
