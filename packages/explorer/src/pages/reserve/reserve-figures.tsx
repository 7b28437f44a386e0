import type { ReactNode } from 'react';
import { NO_PRICE } from '../../lending/words.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Headline } from '../../ui/headline.tsx';
import { Part, Percent, Tokens, Usd } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

/** The number of the page. */
export function ReserveHeadline({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { supplied, borrowed, utilization, token } = reserve;
  return (
    <Headline
      label="Supplied"
      under={
        <>
          <Tokens value={supplied.amount} symbol={token.symbol} />.{' '}
          <Usd value={borrowed.usd} absent={NO_PRICE} /> of it is lent out, <Part value={utilization} />
        </>
      }
    >
      <Usd value={supplied.usd} absent={NO_PRICE} />
    </Headline>
  );
}

/** State of the reserve now. */
export function ReserveFigures({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { token, available, borrowable, supplyApy, borrowApy } = reserve;
  return (
    <Figures>
      <ApyFigure name="Earns" hint="Interest and rewards per year, compounded" apy={supplyApy} />
      <ApyFigure name="Costs" hint="Interest less rewards per year, compounded" apy={borrowApy} />
      <AmountFigure
        name="Left to borrow"
        hint="What anyone with enough collateral can borrow now: the least of free liquidity and all limits of the reserve"
        amount={borrowable}
        symbol={token.symbol}
      />
      <AmountFigure
        name="Not lent out"
        hint="Liquidity that can be borrowed or withdrawn"
        amount={available}
        symbol={token.symbol}
      />
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
