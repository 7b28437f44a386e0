import {
  LendingObligation,
  LeverageObligation,
  LeverageObligationFixedRate,
  MultiplyObligation,
  type ObligationType,
  VanillaObligation,
} from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { U64_MAX } from '../constants.ts';
import { type Holdings, KLEND, type LendingWorld, type ReserveName } from './lending-world.ts';

type Action = 'deposit' | 'borrow' | 'repay' | 'withdraw';

/** One action, and what the wallet has before it. */
export interface LendingCase {
  readonly name: string;
  readonly action: Action;
  readonly reserve: ReserveName;
  readonly amount: bigint;
  readonly holdings: Holdings;
  readonly obligation?: (world: LendingWorld) => ObligationType;
}

const MANY: Holdings = {
  deposits: [
    ['oracles', 40_000_000_000n],
    ['plain', 50_000_000_000n],
    ['sol', 3_000_000_000n],
    ['token2022', 7_000_000n],
  ],
  borrows: [
    ['farms', 9_000_000n],
    ['plain', 1_000_000n],
  ],
};
const ONE: Holdings = { deposits: [['plain', 50_000_000_000n]] };
const IN_DEBT: Holdings = { ...ONE, borrows: [['farms', 9_000_000n]] };
const SOL_DEBT: Holdings = { ...ONE, borrows: [['sol', 2_500_000_001n]] };
const GROUPED: Holdings = {
  deposits: [
    ['grouped', 50_000_000_000n],
    ['plain', 1_000_000n],
  ],
  borrows: [['groupDebt', 10_000_000n]],
  group: 1,
};
const NEW: Holdings = { metadata: false };

const deposits: LendingCase[] = [
  { name: 'first deposit', action: 'deposit', reserve: 'plain', amount: 5_000_000n, holdings: NEW },
  {
    name: 'first deposit with a farm',
    action: 'deposit',
    reserve: 'farms',
    amount: 5_000_001n,
    holdings: NEW,
  },
  {
    name: 'obligation closed before',
    action: 'deposit',
    reserve: 'farms',
    amount: 77n,
    holdings: { farmUsers: [0] },
  },
  { name: 'deposit beside many', action: 'deposit', reserve: 'oracles', amount: 1_234_567n, holdings: MANY },
  { name: 'deposit of a new reserve', action: 'deposit', reserve: 'farms', amount: 1n, holdings: MANY },
  { name: 'deposit in a group', action: 'deposit', reserve: 'grouped', amount: 42n, holdings: GROUPED },
  {
    name: 'deposit while referred',
    action: 'deposit',
    reserve: 'plain',
    amount: 42n,
    holdings: { ...MANY, referred: true, referrerStates: ['farms', 'plain'] },
  },
  { name: 'deposit of Token-2022', action: 'deposit', reserve: 'token2022', amount: 99n, holdings: ONE },
  { name: 'deposit SOL', action: 'deposit', reserve: 'sol', amount: 1_500_000_000n, holdings: ONE },
  {
    name: 'deposit SOL, empty account',
    action: 'deposit',
    reserve: 'sol',
    amount: 1_500_000_000n,
    holdings: { ...ONE, wrappedSol: 0n },
  },
  {
    name: 'deposit SOL beside wrapped SOL',
    action: 'deposit',
    reserve: 'sol',
    amount: 1_500_000_000n,
    holdings: { ...ONE, wrappedSol: 700n },
  },
];

const borrows: LendingCase[] = [
  { name: 'borrow', action: 'borrow', reserve: 'oracles', amount: 3_000_000n, holdings: ONE },
  { name: 'borrow with a farm', action: 'borrow', reserve: 'farms', amount: 3_000_000n, holdings: ONE },
  {
    name: 'borrow with a stake',
    action: 'borrow',
    reserve: 'farms',
    amount: 3_000_000n,
    holdings: { ...IN_DEBT, farmUsers: [1] },
  },
  { name: 'borrow beside many', action: 'borrow', reserve: 'plain', amount: 3n, holdings: MANY },
  { name: 'borrow in a group', action: 'borrow', reserve: 'groupDebt', amount: 5_000n, holdings: GROUPED },
  {
    name: 'borrow while referred',
    action: 'borrow',
    reserve: 'farms',
    amount: 5_000n,
    holdings: { ...MANY, referred: true, referrerStates: ['farms', 'plain'], farmUsers: [1] },
  },
  {
    name: 'first borrow while referred',
    action: 'borrow',
    reserve: 'oracles',
    amount: 5_000n,
    holdings: { ...IN_DEBT, referred: true, referrerStates: ['farms'] },
  },
  { name: 'borrow Token-2022', action: 'borrow', reserve: 'token2022', amount: 5_000n, holdings: ONE },
  { name: 'borrow SOL', action: 'borrow', reserve: 'sol', amount: 5_000n, holdings: ONE },
  {
    name: 'borrow SOL, empty account',
    action: 'borrow',
    reserve: 'sol',
    amount: 5_000n,
    holdings: { ...ONE, wrappedSol: 0n },
  },
];

const repayments: LendingCase[] = [
  { name: 'repay', action: 'repay', reserve: 'farms', amount: 3_000_000n, holdings: IN_DEBT },
  {
    name: 'repay with a stake',
    action: 'repay',
    reserve: 'farms',
    amount: 3_000_000n,
    holdings: { ...MANY, farmUsers: [1] },
  },
  { name: 'repay all', action: 'repay', reserve: 'plain', amount: U64_MAX, holdings: MANY },
  { name: 'repay in a group', action: 'repay', reserve: 'groupDebt', amount: 10n, holdings: GROUPED },
  { name: 'repay all in a group', action: 'repay', reserve: 'groupDebt', amount: U64_MAX, holdings: GROUPED },
  { name: 'repay SOL', action: 'repay', reserve: 'sol', amount: 2_000_000n, holdings: SOL_DEBT },
  {
    name: 'repay SOL beside wrapped SOL',
    action: 'repay',
    reserve: 'sol',
    amount: 2_000_000n,
    holdings: { ...SOL_DEBT, wrappedSol: 5n },
  },
  {
    name: 'repay all SOL',
    action: 'repay',
    reserve: 'sol',
    amount: U64_MAX,
    holdings: { ...SOL_DEBT, wrappedSol: 0n },
  },
];

const withdrawals: LendingCase[] = [
  { name: 'withdraw', action: 'withdraw', reserve: 'plain', amount: 3_333_333n, holdings: ONE },
  { name: 'withdraw one unit', action: 'withdraw', reserve: 'plain', amount: 1n, holdings: ONE },
  {
    name: 'withdraw beside many',
    action: 'withdraw',
    reserve: 'oracles',
    amount: 1_000_000n,
    holdings: MANY,
  },
  {
    name: 'withdraw with a farm',
    action: 'withdraw',
    reserve: 'farms',
    amount: 1_000_000n,
    holdings: { deposits: [['farms', 9_000_000n]] },
  },
  {
    name: 'withdraw with a stake',
    action: 'withdraw',
    reserve: 'farms',
    amount: 1_000_000n,
    holdings: { deposits: [['farms', 9_000_000n]], farmUsers: [0] },
  },
  { name: 'withdraw all', action: 'withdraw', reserve: 'plain', amount: U64_MAX, holdings: ONE },
  { name: 'withdraw in a group', action: 'withdraw', reserve: 'grouped', amount: 12_345n, holdings: GROUPED },
  { name: 'withdraw Token-2022', action: 'withdraw', reserve: 'token2022', amount: 12_345n, holdings: MANY },
  { name: 'withdraw SOL', action: 'withdraw', reserve: 'sol', amount: 1_000_000_000n, holdings: MANY },
  {
    name: 'withdraw all SOL beside wrapped SOL',
    action: 'withdraw',
    reserve: 'sol',
    amount: U64_MAX,
    holdings: { deposits: [['sol', 3_000_000_000n]], wrappedSol: 900n },
  },
];

const tagged: LendingCase[] = [
  {
    name: 'vanilla, id 7',
    action: 'deposit',
    reserve: 'plain',
    amount: 9n,
    holdings: {},
    obligation: () => new VanillaObligation(KLEND, 7),
  },
  {
    name: 'multiply',
    action: 'deposit',
    reserve: 'plain',
    amount: 9n,
    holdings: {},
    obligation: (world) => new MultiplyObligation(world.mint('plain'), world.mint('sol'), KLEND),
  },
  {
    name: 'lending, id 3',
    action: 'withdraw',
    reserve: 'plain',
    amount: 9n,
    holdings: ONE,
    obligation: (world) => new LendingObligation(world.mint('plain'), KLEND, 3),
  },
  {
    name: 'leverage',
    action: 'borrow',
    reserve: 'oracles',
    amount: 9n,
    holdings: ONE,
    obligation: (world) => new LeverageObligation(world.mint('plain'), world.mint('oracles'), KLEND),
  },
  {
    name: 'leverage at a fixed rate',
    action: 'deposit',
    reserve: 'plain',
    amount: 9n,
    holdings: {},
    obligation: (world) =>
      new LeverageObligationFixedRate(world.address('plain'), world.address('sol'), KLEND, 255),
  },
];

export const lendingCases: readonly LendingCase[] = [
  ...deposits,
  ...borrows,
  ...repayments,
  ...withdrawals,
  ...tagged,
];
