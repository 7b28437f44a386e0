import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltInstruction } from '../../src/builders/built-instruction.ts';
import { overflowOf, planTransactions } from '../../src/builders/plan/plan.ts';
import type { ComputeOptions } from '../../src/builders/transaction/compute-budget.ts';
import { computeBudget } from '../../src/builders/transaction/compute-budget.ts';
import type { UsableTable } from '../../src/builders/transaction/lookup-tables.ts';
import { transactionSize } from '../../src/builders/transaction/size.ts';
import { chooseTables } from '../../src/builders/transaction/table-choice.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { addressNumber, LIFETIME } from '../support/builders/lending-accounts.ts';
import { lendingSequences, vaultSequences } from '../support/vectors/sequence-vectors.ts';

/** Instructions of the official SDK; none of them counts as set-up. */
const cases = [...lendingSequences(), ...vaultSequences()].map(({ name, wallet, expected }) => ({
  name,
  feePayer: wallet,
  instructions: expected.map(
    (each): BuiltInstruction => ({ ...each, name: '', summary: '', labels: [], setup: false }),
  ),
}));

function table(number: number, addresses: readonly Address[]): UsableTable {
  return { address: addressNumber(number), addresses, usable: addresses.length };
}

/** Tables with all, some and none of the addresses, including the wallet. */
function tablesFor(instructions: readonly BuiltInstruction[]): readonly (readonly UsableTable[])[] {
  const all = [...new Set(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address)))];
  const half = Math.ceil(all.length / 2);
  return [
    [],
    [table(900, all)],
    [table(900, all.slice(0, half)), table(901, all.slice(half - 2))],
    [table(900, all.slice(0, 1))],
  ];
}

/** The compiled size, whether it fits or not. */
function compiledSize(input: Parameters<typeof planTransactions>[0]): number {
  try {
    return planTransactions(input)[0]?.sizeBytes ?? 0;
  } catch (error) {
    if (isCodedError(error, 'TRANSACTION_SIZE_ERROR')) return error.context.sizeBytes;
    throw error;
  }
}

describe('transaction size', () => {
  it.each(cases.map((each) => [each.name, each] as const))('%s: equals the compiled size', (_, given) => {
    for (const tables of tablesFor(given.instructions)) {
      for (const options of [{}, { computeUnitLimit: 400_000, priorityFeeMicroLamports: 7n }]) {
        const input = { ...given, ...options, tables };
        const size = compiledSize({ ...input, lifetime: LIFETIME });
        expect(sizeOf(input)).toBe(size);
        expect(overflowOf(input) === null).toBe(size <= 1232);
      }
    }
  });

  it('has cases on both sides of the limit', () => {
    const fit = cases.flatMap((each) =>
      tablesFor(each.instructions).map((tables) => overflowOf({ ...each, tables }) === null),
    );
    expect(new Set(fit)).toEqual(new Set([true, false]));
  });
});

function sizeOf(
  input: ComputeOptions & {
    readonly feePayer: Address;
    readonly instructions: readonly BuiltInstruction[];
    readonly tables: readonly UsableTable[];
  },
): number {
  const all = [...computeBudget(input), ...input.instructions];
  return transactionSize(all, input.feePayer, chooseTables(all, input.feePayer, input.tables));
}

describe('accounts of a transaction', () => {
  const feePayer = addressNumber(1);
  /** An instruction with `count` accounts, and a table of all of them. */
  function naming(count: number) {
    const addresses = Array.from({ length: count }, (_, i) => addressNumber(1_000 + i));
    const instruction: BuiltInstruction = {
      programAddress: addressNumber(2),
      accounts: addresses.map((address) => ({ address, role: AccountRole.WRITABLE })),
      data: new Uint8Array(8),
      name: '',
      summary: '',
      labels: [],
      setup: false,
    };
    return { feePayer, instructions: [instruction], tables: [table(900, addresses)], lifetime: LIFETIME };
  }

  it('are limited to 64, including the wallet and the program', () => {
    const most = naming(62);
    expect(overflowOf(most) === null).toBe(true);
    expect(planTransactions(most)).toHaveLength(1);
    const more = naming(63);
    expect(overflowOf(more) === null).toBe(false);
    expect(() => planTransactions(more)).toThrow(
      expect.objectContaining({
        code: 'TRANSACTION_SIZE_ERROR',
        context: { sizeBytes: expect.any(Number), sizeLimit: 1232, accounts: 65, accountLimit: 64 },
        message: expect.stringContaining('uses 65 accounts (limit 64)'),
      }),
    );
  });

  it('are reported with the size when both exceed their limits', () => {
    expect(() => planTransactions({ ...naming(131), tables: [] })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/ 4\d{3} bytes \(limit 1232\) and uses 133 accounts/),
      }),
    );
  });
});
