import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import {
  COMPUTE_BUDGET_PROGRAM,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltAction } from '../../src/builders/built-instruction.ts';
import { type LendingAccounts, lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLendingBorrow } from '../../src/builders/lending/borrow.ts';
import { buildLendingDeposit } from '../../src/builders/lending/deposit.ts';
import { buildLendingRepay } from '../../src/builders/lending/repay.ts';
import {
  firstLendingReads,
  type LendingRequest,
  secondLendingReads,
} from '../../src/builders/lending/request.ts';
import { buildLendingWithdraw } from '../../src/builders/lending/withdraw.ts';
import {
  argsOf,
  type LendingSequence,
  lendingSequences,
  line,
  nameOf,
} from '../support/vectors/sequence-vectors.ts';

const SLOT_MS = integer(400);
const TOKEN_ACCOUNT_RENT = 2_039_280n;
const SEND: readonly string[] = ['deposit', 'repay'];

interface Subject {
  readonly given: LendingSequence;
  readonly accounts: LendingAccounts;
}

/** Every intended difference from the SDK: how its instructions are adjusted before the comparison, and why. */
const DIFFERENCES: readonly {
  readonly what: string;
  readonly why: string;
  apply(instructions: EncodedInstruction[], subject: Subject): EncodedInstruction[];
}[] = [
  {
    what: 'no compute-budget instruction',
    why: 'the API adds one only on request',
    apply: (all) => all.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM),
  },
  {
    what: 'an account is created once',
    why: 'the SDK adds the same idempotent creation twice for withdrawals and for SOL',
    apply: (all) =>
      all.filter((each, index) => all.findIndex((other) => line(other) === line(each)) === index),
  },
  {
    what: 'creating the wrapped-SOL account pays its rent',
    why: 'the SDK transfers the rent before it creates the account; creating it first leaves only the amount to transfer',
    apply: (all, { given, accounts }) =>
      all.flatMap((each) => {
        if (each.programAddress !== SYSTEM_PROGRAM) return [each];
        const moved = argsOf(each).lamports;
        if (typeof moved !== 'bigint') throw new Error('no lamports');
        const lamports = moved - (accounts.token.account === null ? TOKEN_ACCOUNT_RENT : 0n);
        const accountsOf = { source: given.wallet, destination: accounts.token.address };
        return lamports === 0n ? [] : [transferLamports.encode(SYSTEM_PROGRAM, accountsOf, { lamports })];
      }),
  },
  {
    what: 'no syncNative when nothing is wrapped',
    why: 'borrowing and withdrawing SOL transfers wrapped SOL, which updates the token amount already',
    apply: (all, { given }) =>
      SEND.includes(given.action) ? all : all.filter((each) => nameOf(each) !== 'syncNative'),
  },
  {
    what: 'wrapped SOL already in the wallet stays wrapped after a deposit or a repayment',
    why: 'the SDK closes the account and so unwraps tokens unrelated to the action',
    apply: (all, { given, accounts }) =>
      SEND.includes(given.action) && (accounts.token.account?.amount ?? 0n) > 0n
        ? all.filter((each) => each.programAddress !== TOKEN_PROGRAM || nameOf(each) !== 'closeAccount')
        : all,
  },
];

function requestOf({ action, wallet, market, reserve, key }: LendingSequence): LendingRequest {
  return {
    action,
    programs: MAINNET_PROGRAMS,
    wallet,
    market,
    reserve,
    obligation: { key },
    lookupTables: [],
    oracles: [],
  };
}

function build({ given, accounts }: Subject): BuiltAction {
  const amount = given.amount === U64_MAX ? ('all' as const) : given.amount;
  switch (given.action) {
    case 'deposit':
      return buildLendingDeposit(accounts, amount);
    case 'borrow':
      return buildLendingBorrow(accounts, amount);
    case 'repay':
      return buildLendingRepay(accounts, amount, {
        slot: given.slot,
        timestamp: 0n,
        slotDurationMs: SLOT_MS,
      });
    case 'withdraw':
      return buildLendingWithdraw(accounts, amount, { slot: given.slot, timestamp: 0n });
  }
}

/** The first ordering rule of the lending program that is violated; null when all hold. */
function brokenOrder(instructions: readonly EncodedInstruction[], reserve: Address): string | null {
  const names = instructions.map(nameOf);
  const action = names.findIndex((name) => name.endsWith('V2'));
  const refreshed = names.indexOf('refreshObligation');
  if (refreshed !== action - 1) return 'the obligation is not refreshed immediately before the action';
  if (instructions[action - 2]?.accounts[0]?.address !== reserve) return 'the reserve is not refreshed last';
  const before = (first: string, second: string) => {
    const [a, b] = [names.lastIndexOf(first), names.indexOf(second)];
    return a < 0 || b < 0 || a < b;
  };
  const rules: readonly (readonly [string, string])[] = [
    ['initUserMetadata', 'initObligation'],
    ['initObligation', 'initObligationFarmsForReserve'],
    ['initObligation', 'refreshObligation'],
    ['initReferrerTokenState', 'refreshObligation'],
    ['refreshReserve', 'refreshObligation'],
    ['createAssociatedTokenIdempotent', 'transferLamports'],
    ['transferLamports', 'syncNative'],
    ['syncNative', names[action] ?? ''],
    ['initObligationFarmsForReserve', names[action] ?? ''],
    [names[action] ?? '', 'closeAccount'],
  ];
  return (
    rules.filter(([first, second]) => !before(first, second)).map((rule) => rule.join(' after '))[0] ?? null
  );
}

const subjects = lendingSequences().map((given): readonly [string, Subject] => [
  given.name,
  { given, accounts: lendingAccounts(requestOf(given), given.read, given.slot) },
]);

describe('lending builders against the official SDK', () => {
  it('has at least 44 cases', () => {
    expect(subjects.length).toBeGreaterThanOrEqual(44);
  });

  it.each(subjects)('%s: same instructions, accounts, roles and data', (_, subject) => {
    const expected = DIFFERENCES.reduce((all, { apply }) => apply(all, subject), [...subject.given.expected]);
    const built = build(subject).instructions;
    expect(built.map(line).sort()).toEqual(expected.map(line).sort());
  });

  it.each(subjects)('%s: refreshes and action in the same order', (_, subject) => {
    const core = (all: readonly EncodedInstruction[]) =>
      all.filter((each) => /^refresh|V2$/.test(nameOf(each))).map(line);
    expect(core(build(subject).instructions)).toEqual(core(subject.given.expected));
  });

  it.each(subjects)('%s: an order that the program accepts', (_, subject) => {
    expect(brokenOrder(build(subject).instructions, subject.given.reserve)).toBeNull();
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, { given }) => {
    const request = requestOf(given);
    const requested = new Set([...firstLendingReads(request), ...secondLendingReads(request, given.read)]);
    const missed: Address[] = [];
    lendingAccounts(
      request,
      (address) => {
        if (!requested.has(address)) missed.push(address);
        return given.read(address);
      },
      given.slot,
    );
    expect(missed).toEqual([]);
  });

  it('needs every listed difference', () => {
    for (const { what, apply } of DIFFERENCES) {
      const used = subjects.some(([, subject]) => {
        const before = [...subject.given.expected];
        return (
          apply([...before], subject)
            .map(line)
            .join() !== before.map(line).join()
        );
      });
      expect(used, what).toBe(true);
    }
  });
});
