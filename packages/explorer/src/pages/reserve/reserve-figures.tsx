import type { ReactNode } from 'react';
import { NO_PRICE } from '../../lending/words.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Percent, Tokens, Usd } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

/** State of the reserve now. */
export function ReserveFigures({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { token, supplied, borrowed, available, borrowable, supplyApy, borrowApy } = reserve;
  return (
    <Figures>
      <AmountFigure
        name="Supplied"
        hint="Total that belongs to suppliers"
        amount={supplied}
        symbol={token.symbol}
      />
      <AmountFigure
        name="Borrowed"
        hint="Total borrowed, with interest"
        amount={borrowed}
        symbol={token.symbol}
      />
      <AmountFigure
        name="Available"
        hint="Liquidity that can be borrowed or withdrawn"
        amount={available}
        symbol={token.symbol}
      />
      <AmountFigure
        name="Borrowable"
        hint="What anyone with enough collateral can borrow now: the least of free liquidity and all limits of the reserve"
        amount={borrowable}
        symbol={token.symbol}
      />
      <Figure name="Utilization" hint="Borrowed / supplied">
        <Meter label="Utilization" value={reserve.utilization} mark={reserve.limits.utilizationBorrowBlock} />
      </Figure>
      <ApyFigure name="Supply APY" hint="Interest and rewards per year, compounded" apy={supplyApy} />
      <ApyFigure name="Borrow APY" hint="Interest less rewards per year, compounded" apy={borrowApy} />
    </Figures>
  );
}

interface AmountFigureProps {
  readonly name: string;
  readonly hint: string;
  readonly amount: { readonly amount: string; readonly usd: string | null };
  readonly symbol: string;
}

function AmountFigure({ name, hint, amount, symbol }: AmountFigureProps): ReactNode {
  return (
    <Figure name={name} hint={hint} detail={<Tokens value={amount.amount} symbol={symbol} />}>
      <Usd value={amount.usd} absent={NO_PRICE} />
    </Figure>
  );
}

/** The parts of a yield that are not interest, in the order in which they are shown. */
const REWARDS = [
  ['farmRewards', 'farm'],
  ['incentives', 'incentives'],
] as const;

interface ApyFigureProps {
  readonly name: string;
  readonly hint: string;
  readonly apy: ReserveDetail['supplyApy'];
}

function ApyFigure({ name, hint, apy }: ApyFigureProps): ReactNode {
  const rewards = REWARDS.filter(([field]) => apy[field] !== '0');
  const detail = (
    <>
      interest <Percent value={apy.base} />
      {rewards.map(([field, word]) => (
        <span key={field}>
          , {word} <Percent value={apy[field]} />
        </span>
      ))}
    </>
  );
  return (
    <Figure name={name} hint={hint} {...(rewards.length === 0 ? {} : { detail })}>
      <Percent value={apy.total} />
    </Figure>
  );
}
