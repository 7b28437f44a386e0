import { borrowV1, borrowV2 } from '@sluice/protocol/klend/action-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type BuiltInstruction, instruction } from '../../../src/builders/built-instruction.ts';
import {
  BORROW,
  DEPOSIT,
  type Demand,
  REPAY,
  type Stage,
  WITHDRAW,
  withAbsent,
  withAccount,
  withAccounts,
  without,
} from './demand.ts';
import { Lender } from './lender.ts';

const { klend } = MAINNET_PROGRAMS;
const UNITS = 1_000_000n;
const isRefresh = ({ name }: BuiltInstruction) => name.startsWith('refresh');

/** A borrow of the first obligation, changed. */
const borrowing =
  (change: (instructions: readonly BuiltInstruction[], stage: Stage) => readonly BuiltInstruction[]) =>
  (stage: Stage) => {
    const lender = stage.plain;
    return { lender, instructions: change(lender.build('borrow', 'USDC', UNITS), stage) };
  };

/** Moves the refresh of a reserve to the place before the last instruction. */
function refreshedLate(instructions: readonly BuiltInstruction[], reserve: Address) {
  const late = instructions.filter(
    ({ name, accounts }) => name === 'refreshReserve' && accounts[0]?.address === reserve,
  );
  return [
    ...instructions.filter((each) => !late.includes(each)).slice(0, -1),
    ...late,
    ...instructions.slice(-1),
  ];
}

/** The older version of a borrow, without one of its neighbours. */
function olderBorrow(instructions: readonly BuiltInstruction[]): BuiltInstruction[] {
  return instructions.map((each) => {
    if (each.name !== BORROW) return each;
    const { accounts, args } = borrowV2.decode(each);
    return instruction(borrowV1, klend, accounts, args, { summary: 'Borrow' });
  });
}

/** Refreshes of reserves and obligation. */
export const REFRESH_DEMANDS: readonly Demand[] = [
  ['no refreshes', 'ReserveStale', BORROW, borrowing((built) => built.filter((each) => !isRefresh(each)))],
  [
    'refreshes in an earlier slot',
    'ReserveStale',
    BORROW,
    async ({ client, plain }) => {
      const built = plain.build('borrow', 'USDC', UNITS);
      await plain.send(without(built, BORROW));
      client.advance(1);
      return { lender: plain, instructions: built.filter((each) => !isRefresh(each)) };
    },
  ],
  [
    'a reserve is refreshed after the obligation',
    'ReserveStale',
    'refreshObligation',
    borrowing((built, { plain }) => refreshedLate(built, plain.reserve('SOL'))),
  ],
  [
    'the obligation is not refreshed',
    'ObligationStale',
    BORROW,
    borrowing((built) => without(built, 'refreshObligation')),
  ],
  [
    'a wrong Scope account',
    'InvalidScopePriceAccount',
    'refreshReserve',
    borrowing((built, { plain }) => withAccount(built, 'refreshReserve', 5, plain.market.address)),
  ],
  [
    'no Scope account',
    'InvalidScopePriceAccount',
    'refreshReserve',
    borrowing((built) => withAbsent(built, 'refreshReserve', 5)),
  ],
  [
    'a refresh of the obligation without its last reserve',
    'InvalidAccountInput',
    'refreshObligation',
    borrowing((built) => withAccounts(built, 'refreshObligation', (accounts) => accounts.slice(0, -1))),
  ],
  [
    'a refresh of the obligation with its deposits swapped',
    'InvalidAccountInput',
    'refreshObligation',
    borrowing((built) =>
      withAccounts(built, 'refreshObligation', (accounts) => [
        ...accounts.slice(0, 2),
        ...accounts.slice(2, 4).toReversed(),
        ...accounts.slice(4),
      ]),
    ),
  ],
  [
    'the older version without the refresh of the farm beside it',
    'IncorrectInstructionInPosition',
    'borrowObligationLiquidity',
    borrowing(olderBorrow),
  ],
];

/** Accounts of actions. */
export const ACCOUNT_DEMANDS: readonly Demand[] = [
  [
    'a borrow in a group without the deposit reserves',
    'InvalidAccountInput',
    BORROW,
    ({ grouped }) => ({
      lender: grouped,
      instructions: withAccounts(grouped.build('borrow', 'SOL', UNITS), BORROW, (all) => all.slice(0, 15)),
    }),
  ],
  [
    'a repayment in a group without the deposit reserves',
    'InvalidAccountInput',
    REPAY,
    ({ grouped }) => ({
      lender: grouped,
      instructions: withAccounts(grouped.build('repay', 'SOL', UNITS), REPAY, (all) => all.slice(0, 13)),
    }),
  ],
  [
    'a borrow without the farm accounts',
    'FarmAccountsMissing',
    BORROW,
    borrowing((built) => withAbsent(built, BORROW, 12, 13)),
  ],
  [
    'a repayment without the farm accounts',
    'FarmAccountsMissing',
    REPAY,
    ({ plain }) => ({
      lender: plain,
      instructions: withAbsent(plain.build('repay', 'USDC', UNITS), REPAY, 9, 10),
    }),
  ],
  [
    'a deposit without the farm accounts',
    'FarmAccountsMissing',
    DEPOSIT,
    ({ grouped }) => ({
      lender: grouped,
      instructions: withAbsent(grouped.build('deposit', 'jitoSOL', UNITS), DEPOSIT, 14, 15),
    }),
  ],
  [
    'a withdrawal without the farm accounts',
    'FarmAccountsMissing',
    WITHDRAW,
    ({ grouped }) => ({
      lender: grouped,
      instructions: withAbsent(grouped.build('withdraw', 'jitoSOL', UNITS), WITHDRAW, 14, 15),
    }),
  ],
  [
    'an obligation that has not joined the farm',
    'AccountOwnedByWrongProgram',
    DEPOSIT,
    ({ plain }) => ({
      lender: plain,
      instructions: without(plain.build('deposit', 'USDC', UNITS), 'initObligationFarmsForReserve'),
    }),
  ],
  [
    'an obligation of a wallet without metadata',
    'AccountOwnedByWrongProgram',
    'initObligation',
    async ({ client }) => {
      const lender = await Lender.fresh(client, 1);
      lender.fund('USDC');
      return { lender, instructions: without(lender.build('deposit', 'USDC', UNITS), 'initUserMetadata') };
    },
  ],
  [
    'an obligation that a full withdrawal has closed',
    'AccountOwnedByWrongProgram',
    'refreshObligation',
    async ({ client }) => {
      const lender = await Lender.fresh(client, 2);
      lender.fund('wBTC');
      await lender.send(lender.build('deposit', 'wBTC', UNITS));
      const instructions = lender.build('withdraw', 'wBTC', UNITS / 2n);
      await lender.send(lender.build('withdraw', 'wBTC', null));
      return { lender, instructions };
    },
  ],
  [
    'the obligation of another wallet',
    'InvalidObligationOwner',
    BORROW,
    async ({ client, plain }) => {
      const lender = await Lender.fresh(client, 3);
      const built = plain
        .build('borrow', 'USDC', UNITS)
        .filter(({ programAddress }) => programAddress === klend);
      return { lender, instructions: withAccount(built, BORROW, 0, lender.signer.address) };
    },
  ],
  [
    'an owner who has not signed',
    'AccountNotSigner',
    BORROW,
    async ({ client, plain }) => {
      const lender = await Lender.fresh(client, 4);
      const built = plain
        .build('borrow', 'USDC', UNITS)
        .filter(({ programAddress }) => programAddress === klend);
      const unsigned = withAccounts(built, BORROW, ([owner, ...rest]) =>
        owner === undefined ? rest : [{ ...owner, role: 0 }, ...rest],
      );
      return { lender, instructions: unsigned };
    },
  ],
  [
    'another address in the place of the market authority',
    'ConstraintSeeds',
    BORROW,
    borrowing((built, { plain }) => withAccount(built, BORROW, 3, plain.market.address)),
  ],
  [
    'another account in the place of the liquidity supply',
    'ConstraintAddress',
    BORROW,
    borrowing((built) => withAccount(built, BORROW, 6, built.at(-1)?.accounts[7]?.address ?? klend)),
  ],
];
