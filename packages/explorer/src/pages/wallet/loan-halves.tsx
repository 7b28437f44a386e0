import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { part } from '../../format/numbers.ts';
import { distanceOf } from '../../format/risk.ts';
import { Figure } from '../../ui/figures.tsx';
import { TokenMark } from '../../ui/mark.tsx';
import { Absent, Price, ShownValue, Tokens, Usd } from '../../ui/value.tsx';
import { breakOf } from './break-notes.ts';
import type { LoanProps } from './loan-sides.tsx';
import { movesTogether, type TokenGroup } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';

type Side = Loan['deposits'][number] | Loan['borrows'][number];

/** What was put in, and what is owed. */
export function LoanHalves({ loan, why }: Pick<LoanProps, 'loan' | 'why'>): ReactNode {
  return (
    <div className="loan-halves">
      <Half
        title="You put in"
        sides={loan.deposits}
        none="Nothing"
        why={(index) => why(['deposits', index, 'amount'], NO_RESERVE)}
      />
      <Half
        title="You owe"
        sides={loan.borrows}
        none="Nothing"
        why={(index) => why(['borrows', index, 'amount'], NO_RESERVE)}
      />
    </div>
  );
}

const NO_RESERVE = 'The reserve cannot be read, or its token has no known price.';

interface HalfProps {
  readonly title: string;
  readonly sides: readonly Side[];
  readonly none: string;
  readonly why: (index: number) => string;
}

function Half({ title, sides, none, why }: HalfProps): ReactNode {
  return (
    <div>
      <p className="sub">{title}</p>
      {sides.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="token-rows">
          {sides.map(({ reserveAddress, amount }, index) => (
            <li key={reserveAddress}>
              <TokenMark name={amount?.token.symbol ?? '?'} size={24} />
              {amount === null ? (
                <span>
                  {shortAddress(reserveAddress)}: <Absent why={why(index)} />
                </span>
              ) : (
                <Tokens value={amount.amount} symbol={amount.token.symbol} />
              )}
              <span className="muted">
                <Usd value={amount?.usd} absent={why(index)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The price at which the loan can be liquidated: of one token, or of the collateral against the debt. */
export function BreaksWhen({
  loan,
  groups,
}: {
  readonly loan: Loan;
  readonly groups: readonly TokenGroup[];
}): ReactNode {
  const { healthFactor, borrows } = loan;
  const symbolOf = (sides: readonly Side[]): string =>
    [...new Set(sides.map(({ amount }) => amount?.token.symbol ?? 'the token'))].join(' and ');
  if (borrows.length === 0)
    return (
      <Figure name="Breaks when" detail="there is no debt">
        <Absent why="A loan without debt cannot be liquidated." none />
      </Figure>
    );
  const broken = breakOf(loan);
  if (healthFactor !== null && (broken === null || movesTogether(loan, groups))) {
    const fall = distanceOf(Decimal.of(healthFactor));
    return (
      <Figure name="Breaks when" detail={`against ${symbolOf(borrows)}`}>
        {loan.deposits.length === 1 ? symbolOf(loan.deposits) : 'all collateral'}{' '}
        <ShownValue
          derived
          value={fall.negated().toString()}
          show={(value) => part(value, { whole: true })}
        />
      </Figure>
    );
  }
  if (broken === null)
    return (
      <Figure name="Breaks when">
        <Absent why="A price that it depends on is unknown." />
      </Figure>
    );
  return (
    <Figure
      name="Breaks when"
      detail={
        <>
          now <Price value={broken.now} />
        </>
      }
    >
      {broken.symbol} <Price value={broken.at} />
    </Figure>
  );
}
