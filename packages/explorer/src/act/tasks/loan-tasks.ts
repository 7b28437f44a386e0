import { checkbox, choice, field, optional } from './field.ts';
import { readAmount, readBps, readDays, readTokens, readWhole, type TokenUnit } from './read.ts';
import { bpsPercent, type RolloverSettings, typedDays } from './rollover-words.ts';
import { given, type Task, task } from './task.ts';

/** A loan. Addresses. */
export interface LoanPlace {
  readonly market: string;
  readonly obligation: string;
}

/** A deposit or a debt of a loan. */
export interface LoanPosition {
  readonly reserve: string;
  readonly symbol: string;
}

/** As exact as any token. The gateway refuses what a mint cannot express. */
const MOST_PLACES = 18;
const tokenOf = (symbol: string): TokenUnit => ({ symbol, decimals: MOST_PLACES });
const optionsOf = (positions: readonly LoanPosition[]) =>
  positions.map(({ reserve, symbol }) => [reserve, symbol] as const);

export type PresentRollover = Omit<RolloverSettings, '__typename'>;

const MOST_RATE_BPS = 2_147_483_647n;
const MOST_WINDOW_DAYS = 255n;

/** Terms on which anyone may roll a debt over. The present ones are filled in. */
export const rolloverTask = (
  { market, obligation }: LoanPlace,
  { reserve, symbol }: LoanPosition,
  now: PresentRollover,
): Task =>
  task({
    name: `Set the rollover of ${symbol}`,
    about:
      'Anyone may then move your debt to another term of its token before it ends, on these terms and without a fee. Without that, a debt whose term is over can be liquidated.',
    symbol,
    fields: {
      enabled: checkbox('The debt may be rolled over', now.enabled),
      maxRate: optional(
        field('Highest rate afterwards, percent a year', readBps(MOST_RATE_BPS), {
          initial: now.maxBorrowRateBps === '0' ? '' : bpsPercent(now.maxBorrowRateBps),
        }),
      ),
      minDays: optional(
        field('Shortest term afterwards, in days', readDays, {
          initial: typedDays(now.minTermSeconds),
          hint: '0 accepts no fixed term.',
        }),
      ),
      openTerm: checkbox(
        'A debt without a term will do too',
        now.openTermAllowed,
        'The highest rate does not apply to it.',
      ),
      migration: checkbox(
        'A debt without a term may be moved to a fixed one at any time',
        now.migrationToFixedEnabled,
      ),
      windowDays: optional(
        field('Days before the end from which it may happen', readWhole(MOST_WINDOW_DAYS), {
          initial: now.windowDays === null ? '' : String(now.windowDays),
          hint: '0 for the days of the market.',
        }),
      ),
    },
    actionOf: (wallet, { enabled, maxRate, minDays, openTerm, migration, windowDays }) => ({
      setRolloverSettings: {
        wallet,
        market,
        obligation: { address: obligation },
        reserve,
        enabled,
        openTermAllowed: openTerm,
        migrationToFixed: migration,
        ...given({ maxBorrowRateBps: maxRate, minTermSeconds: minDays }),
        ...(windowDays === undefined ? {} : { windowDays: Number(windowDays) }),
      },
    }),
  });

/** Moves a debt to another term of its token, or starts its term anew. Anyone may. @param targets reserves that take it now */
export const rollOverTask = (
  { obligation }: LoanPlace,
  { reserve, symbol }: LoanPosition,
  targets: readonly (readonly [reserve: string, name: string])[],
): Task =>
  task({
    name: `Roll over the ${symbol} debt`,
    about:
      'The debt goes on at the rate and for the term that you choose, without a fee, as its owner allows. You pay the fee of the network and earn nothing.',
    symbol,
    fields: { target: choice('Continue as', targets) },
    actionOf: (wallet, { target }) => ({
      rollOverBorrow: { wallet, obligation, reserve, targetReserve: target },
    }),
  });

const MOST_GROUP = 32n;

/** @param present number of the present group, 0 for none */
export const elevationTask = ({ market, obligation }: LoanPlace, present: number): Task =>
  task({
    name: 'Change the elevation group',
    about:
      'A group lets a loan borrow more against collateral that moves with its debt. All positions of the loan must be in it.',
    fields: {
      group: field('Number of the group, 0 for none', readWhole(MOST_GROUP), {
        hint:
          present === 0 ? 'Now in no group. The page of the market lists them.' : `Now in group ${present}.`,
      }),
    },
    actionOf: (wallet, { group }) => ({
      requestElevationGroup: { wallet, market, obligation: { address: obligation }, group: Number(group) },
    }),
  });

/** Repays debt of a loan that can be liquidated, for its collateral. Anyone may. */
export const liquidationTask = (
  { obligation }: LoanPlace,
  debts: readonly LoanPosition[],
  deposits: readonly LoanPosition[],
): Task =>
  task({
    name: 'Liquidate',
    about:
      'You repay a part of the debt from your wallet, and receive collateral of the same value and a bonus. The program allows a part of a large loan at once.',
    fields: {
      debt: choice('Debt to repay', optionsOf(debts)),
      amount: field('Amount to repay, or all', readAmount(tokenOf('A token'), true), {
        hint: 'All is as much as the program allows now.',
      }),
      deposit: choice('Collateral to receive', optionsOf(deposits)),
      least: optional(field('Receive at least (empty for any amount)', readTokens(tokenOf('A token')))),
    },
    actionOf: (wallet, { debt, amount, deposit, least }) => ({
      liquidate: {
        wallet,
        obligation,
        repayReserve: debt,
        withdrawReserve: deposit,
        amount,
        ...given({ minCollateral: least }),
      },
    }),
  });

/** Borrows for a loan as its order asks. Anyone may. @param symbol of the token that is borrowed */
export const fillTask = (
  { obligation }: LoanPlace,
  index: number,
  reserves: readonly LoanPosition[],
  symbol: string,
): Task =>
  task({
    name: `Fill borrow order ${index}`,
    symbol,
    verb: 'borrow',
    about:
      'Opens the debt that the order asks for. The loan owes it and its owner receives it; you pay the fee of the network.',
    fields: { reserve: choice('Borrow from', optionsOf(reserves)) },
    actionOf: (wallet, { reserve }) => ({ fillBorrowOrder: { wallet, obligation, index, reserve } }),
  });
