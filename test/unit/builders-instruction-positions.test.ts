import { MEMO_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import type { BuiltInstruction } from '../../src/builders/built-instruction.ts';
import { planTransactions } from '../../src/builders/plan/plan.ts';
import { withPositions } from '../../src/builders/transaction/instruction-positions.ts';
import { LIFETIME, WALLET } from '../support/builders/lending-accounts.ts';

const mark = Symbol('first');
const plain = (name: string, setup = false): BuiltInstruction => ({
  programAddress: MEMO_PROGRAM,
  accounts: [],
  data: Uint8Array.of(0xff),
  name,
  summary: name,
  labels: [],
  setup,
});
const first: BuiltInstruction = { ...plain('first'), mark };
const naming: BuiltInstruction = {
  ...plain('naming'),
  names: { mark, data: (position) => Uint8Array.of(position) },
};

describe('an instruction that names another by its position', () => {
  it('is encoded with the position in the list', () => {
    const placed = withPositions([plain('a'), plain('b'), first, naming]);
    expect(placed.map(({ data }) => [...data])).toEqual([[0xff], [0xff], [0xff], [2]]);
  });

  it('finds a copy', () => {
    expect([...(withPositions([{ ...first }, { ...naming }])[1]?.data ?? [])]).toEqual([0]);
  });

  it('counts the compute budget and the opening of the transaction', () => {
    const [transaction] = planTransactions({
      feePayer: WALLET,
      opening: [plain('opening')],
      instructions: [plain('set-up', true), first, naming],
      tables: [],
      lifetime: LIFETIME,
      computeUnitLimit: 400_000,
      priorityFeeMicroLamports: 5n,
    });
    expect(transaction?.instructions.map(({ name }) => name).slice(-2)).toEqual(['first', 'naming']);
    expect([...(transaction?.instructions.at(-1)?.data ?? [])]).toEqual([4]);
  });

  it('throws when the other is not in the transaction', () => {
    expect(() => withPositions([naming])).toThrow('another transaction');
  });
});
