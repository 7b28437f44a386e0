import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltInstruction } from '../../src/builders/built-instruction.ts';
import { overflowOf } from '../../src/builders/plan/plan.ts';
import type { FoldedStep } from '../../src/builders/plan/step-fold.ts';
import { groupSteps } from '../../src/builders/plan/step-groups.ts';
import { NO_FIGURES } from '../../src/builders/preview.ts';
import { addressNumber, WALLET } from '../support/builders/lending-accounts.ts';

const NONE: ReadonlySet<Address> = new Set();

const instruction = (name: string): BuiltInstruction => ({
  programAddress: addressNumber(1),
  accounts: [],
  data: new Uint8Array(8),
  name,
  summary: name,
  labels: [],
  setup: false,
});

function step(names: readonly string[], divisible?: boolean): FoldedStep {
  const instructions = names.map(instruction);
  const folded: FoldedStep = {
    built: {
      kind: 'CLAIM_REWARDS',
      action: {
        instructions,
        amount: 0n,
        all: true,
        wrappedSol: null,
        ...(divisible === undefined ? {} : { divisible }),
      },
      tables: [],
      walletTokens: [],
      preview: () => NO_FIGURES,
      after: () => new Map(),
      fresh: NONE,
    },
    instructions,
    fresh: NONE,
    rebuild: () => folded,
  };
  return folded;
}

/** The instructions of each transaction, with the steps that own them, when a transaction has room for three. */
function grouped(...steps: readonly FoldedStep[]) {
  const { groups } = groupSteps(steps, (instructions) => (instructions.length > 3 ? 'SIZE' : null));
  return groups.map((group) => [
    group.instructions.map(({ name }, index) => `${group.owners[index]}${name}`).join(' '),
    group.steps,
    group.split,
  ]);
}

describe('the transactions of a plan', () => {
  it('continue a divisible step, and the last has room for the step after it', () => {
    expect(grouped(step(['a', 'b', 'c', 'd', 'e'], true), step(['x']))).toEqual([
      ['0a 0b 0c', [0], null],
      ['0d 0e 1x', [0, 1], 'SIZE'],
    ]);
  });

  it('begin a divisible step that does not fit with the one before it anew', () => {
    expect(grouped(step(['x', 'y']), step(['a', 'b', 'c', 'd'], true))).toEqual([
      ['0x 0y', [0], null],
      ['1a 1b 1c', [1], 'SIZE'],
      ['1d', [1], 'SIZE'],
    ]);
  });

  it('divide a single step', () => {
    expect(grouped(step(['a', 'b', 'c', 'd'], true))).toEqual([
      ['0a 0b 0c', [0], null],
      ['0d', [0], 'SIZE'],
    ]);
    expect(grouped(step(['a', 'b', 'c'], true))).toEqual([['0a 0b 0c', [0], null]]);
  });

  it('do not cut other steps, however large', () => {
    const large = ['a', 'b', 'c', 'd'];
    expect(grouped(step(large))).toEqual([['0a 0b 0c 0d', [0], null]]);
    expect(grouped(step(['x']), step(large))).toEqual([
      ['0x', [0], null],
      ['1a 1b 1c 1d', [1], 'SIZE'],
    ]);
  });

  it('have one flash loan each', () => {
    const loan = () => step(['flashBorrowReserveLiquidity', 'flashRepayReserveLiquidity']);
    const overflow = (instructions: readonly BuiltInstruction[]) =>
      overflowOf({ feePayer: WALLET, instructions, tables: [] });
    const { groups } = groupSteps([step(['x']), loan(), loan(), step(['y'])], overflow);
    expect(groups.map(({ steps, split }) => [steps, split])).toEqual([
      [[0, 1], null],
      [[2, 3], 'FLASH_LOANS'],
    ]);
  });
});
