import type { ReactNode } from 'react';
import {
  elevationTask,
  type LoanPlace,
  type LoanPosition,
  liquidationTask,
  rollOverTask,
  rolloverTask,
} from '../../act/tasks/loan-tasks.ts';
import { type LeverageSide, leverageTasks } from '../../act/tasks/multiply-tasks.ts';
import { termsInWords } from '../../act/tasks/rollover-words.ts';
import type { Task } from '../../act/tasks/task.ts';
import { shortAddress } from '../../format/address.ts';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

/** Opens the forms for leverage, rollover and elevation group of a loan, and for its liquidation. */
export function LoanTasks({ loan, act, open }: Pick<LoanProps, 'loan' | 'act' | 'open'>): ReactNode {
  const { address, market } = loan;
  if (market === null) return null;
  const place = { market: market.address, obligation: address };
  const symbols = Object.fromEntries(
    [...positionsOf(loan.deposits), ...positionsOf(loan.borrows)].map(nameOf),
  );
  const button = (title: string, tasks: readonly Task[], opener: LoanProps['act']) =>
    opener !== null &&
    tasks.length > 0 && (
      <button
        type="button"
        aria-label={`${title} of ${shortAddress(address)}`}
        onClick={() => opener({ kind: 'tasks', title, subject: address, tasks, symbols })}
      >
        {title}
      </button>
    );
  const rollovers = loan.borrows.map((borrow) => rolloverTask(place, positionOf(borrow), borrow.rollover));
  const liquidation = liquidationTask(place, positionsOf(loan.borrows), positionsOf(loan.deposits));
  return (
    <>
      {button('Change the leverage', leverageOf(loan, place), act)}
      {button('Rollover settings', rollovers, act)}
      {button(
        'Roll a debt over',
        loan.borrows.flatMap((borrow) => rollOverOf(borrow, place)),
        open,
      )}
      {button('Elevation group', [elevationTask(place, loan.elevationGroup?.number ?? 0)], act)}
      {loan.liquidatable === true && button('Liquidate', [liquidation], open)}
    </>
  );
}

type Side = Loan['deposits'][number] | Loan['borrows'][number];

const positionOf = ({ reserveAddress, amount }: Side): LoanPosition => ({
  reserve: reserveAddress,
  symbol: amount?.token.symbol ?? shortAddress(reserveAddress),
});

const positionsOf = (sides: readonly Side[]): readonly LoanPosition[] => sides.map(positionOf);

const nameOf = ({ reserve, symbol }: LoanPosition) => [reserve, symbol] as const;

type Borrow = Loan['borrows'][number];

/** Nothing while no reserve takes the debt. */
function rollOverOf(borrow: Borrow, place: LoanPlace): readonly Task[] {
  const targets = borrow.rolloverInto.flatMap(({ reserveAddress, obstacle, reserve }) =>
    obstacle === null ? [[reserveAddress, termsInWords(reserve)] as const] : [],
  );
  return targets.length === 0 ? [] : [rollOverTask(place, positionOf(borrow), targets)];
}

/** Purposes of loans that a flash loan may change in one step. */
const LEVERAGED: readonly Loan['tag'][] = ['MULTIPLY', 'LEVERAGE'];

/** Nothing for other loans, and for one with more than one token on a side. */
export function leverageOf(
  loan: Loan,
  place: { readonly market: string; readonly obligation: string },
): readonly Task[] {
  const [collateral, debt] = [loan.deposits[0], loan.borrows[0]];
  const isPair = loan.deposits.length === 1 && loan.borrows.length === 1;
  if (!LEVERAGED.includes(loan.tag) || !isPair || !collateral?.reserve || !debt?.reserve) return [];
  return leverageTasks({ ...place, collateral: sideOf(collateral.reserve), debt: sideOf(debt.reserve) });
}

const sideOf = ({ address, token, price }: NonNullable<Side['reserve']>): LeverageSide => ({
  reserve: address,
  symbol: token.symbol,
  decimals: token.decimals,
  priceUsd: price?.usd ?? null,
});
