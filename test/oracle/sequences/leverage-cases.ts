import {
  LeverageObligation,
  MultiplyObligation,
  type ObligationType,
  VanillaObligation,
} from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { type Holdings, KLEND, type LendingWorld, type ReserveName } from './lending-world.ts';

/** Which function of the SDK builds the case. */
export type LeverageFunction = 'deposit' | 'increase' | 'decrease' | 'close' | 'repay';

export interface LeverageCase {
  readonly name: string;
  readonly by: LeverageFunction;
  readonly collateral: ReserveName;
  readonly debt: ReserveName;
  readonly tag: 'multiply' | 'leverage' | 'vanilla';
  readonly holdings: Holdings;
  /** Tokens of the wallet's own for a deposit, debt tokens for a repayment. */
  readonly tokens?: string;
  readonly leverage?: string;
}

export function obligationOf(world: LendingWorld, { tag, collateral, debt }: LeverageCase): ObligationType {
  const mints = [world.mint(collateral), world.mint(debt)] as const;
  if (tag === 'vanilla') return new VanillaObligation(KLEND);
  return tag === 'multiply'
    ? new MultiplyObligation(...mints, KLEND)
    : new LeverageObligation(...mints, KLEND);
}

/** Collateral of ten tokens and a debt of four, at a price of one for every token. */
const open = (collateral: ReserveName, debt: ReserveName): Holdings => ({
  deposits: [[collateral, collateral === 'sol' ? 10_000_000_000n : 10_000_000n]],
  borrows: [[debt, debt === 'sol' ? 4_000_000_000n : 4_000_000n]],
});

const MANY: Holdings = {
  deposits: [
    ['oracles', 40_000_000n],
    ['plain', 50_000_000n],
  ],
  borrows: [
    ['farms', 9_000_000n],
    ['sol', 1_000_000n],
  ],
};

const pair = (collateral: ReserveName, debt: ReserveName) => ({ collateral, debt }) as const;
const opening = { by: 'deposit', tokens: '3', leverage: '2' } as const;

export const leverageCases: readonly LeverageCase[] = [
  { name: 'open', ...opening, ...pair('plain', 'oracles'), tag: 'multiply', holdings: {} },
  { name: 'open, leverage tag', ...opening, ...pair('plain', 'oracles'), tag: 'leverage', holdings: {} },
  { name: 'open with SOL', ...opening, ...pair('sol', 'plain'), tag: 'multiply', holdings: {} },
  { name: 'open against SOL', ...opening, ...pair('plain', 'sol'), tag: 'multiply', holdings: {} },
  {
    name: 'open with a collateral farm',
    ...opening,
    ...pair('farms', 'plain'),
    tag: 'multiply',
    holdings: {},
  },
  { name: 'open with a debt farm', ...opening, ...pair('plain', 'farms'), tag: 'multiply', holdings: {} },
  { name: 'open with Token-2022', ...opening, ...pair('token2022', 'plain'), tag: 'multiply', holdings: {} },
  {
    name: 'deposit more',
    ...opening,
    ...pair('plain', 'oracles'),
    tag: 'multiply',
    holdings: open('plain', 'oracles'),
  },
  {
    name: 'deposit more in a group',
    ...opening,
    ...pair('grouped', 'groupDebt'),
    tag: 'multiply',
    holdings: { ...open('grouped', 'groupDebt'), group: 1 },
  },
  {
    name: 'deposit more while referred',
    ...opening,
    ...pair('plain', 'oracles'),
    tag: 'multiply',
    holdings: { ...open('plain', 'oracles'), referred: true, referrerStates: ['oracles'] },
  },
  {
    name: 'raise the leverage',
    by: 'increase',
    leverage: '2.2',
    ...pair('plain', 'oracles'),
    tag: 'leverage',
    holdings: open('plain', 'oracles'),
  },
  {
    name: 'raise the leverage with a stake in the collateral farm',
    by: 'increase',
    leverage: '2.2',
    ...pair('farms', 'plain'),
    tag: 'multiply',
    holdings: { ...open('farms', 'plain'), farmUsers: [0] },
  },
  {
    name: 'lower the leverage',
    by: 'decrease',
    leverage: '1.3',
    ...pair('plain', 'oracles'),
    tag: 'multiply',
    holdings: open('plain', 'oracles'),
  },
  {
    name: 'lower the leverage with a debt farm',
    by: 'decrease',
    leverage: '1.3',
    ...pair('plain', 'farms'),
    tag: 'leverage',
    holdings: { ...open('plain', 'farms'), farmUsers: [1] },
  },
  {
    name: 'close',
    by: 'close',
    ...pair('plain', 'oracles'),
    tag: 'multiply',
    holdings: open('plain', 'oracles'),
  },
  {
    name: 'close with SOL',
    by: 'close',
    ...pair('sol', 'plain'),
    tag: 'multiply',
    holdings: open('sol', 'plain'),
  },
  {
    name: 'close in a group',
    by: 'close',
    ...pair('grouped', 'groupDebt'),
    tag: 'multiply',
    holdings: { ...open('grouped', 'groupDebt'), group: 1 },
  },
  {
    name: 'close while referred',
    by: 'close',
    ...pair('plain', 'oracles'),
    tag: 'multiply',
    holdings: { ...open('plain', 'oracles'), referred: true, referrerStates: ['oracles'] },
  },
  {
    name: 'repay with collateral',
    by: 'repay',
    tokens: '1.5',
    ...pair('plain', 'oracles'),
    tag: 'vanilla',
    holdings: open('plain', 'oracles'),
  },
  {
    name: 'repay with collateral beside many',
    by: 'repay',
    tokens: '2',
    ...pair('oracles', 'farms'),
    tag: 'vanilla',
    holdings: { ...MANY, farmUsers: [1] },
  },
];
