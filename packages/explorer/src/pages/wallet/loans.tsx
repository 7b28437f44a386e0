import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { absence } from '../../ui/absence.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { LoanCard } from './loan-card.tsx';
import type { TokenGroup } from './token-groups.ts';
import type { ActingProps } from './vault-positions.tsx';

export interface LoansProps extends ActingProps {
  /** Opens a form that anyone may use, for the loan of another wallet too. */
  readonly open: NonNullable<ActingProps['act']>;
  readonly groups: readonly TokenGroup[];
}

export function Loans({ wallet, errors, act, open, groups }: LoansProps): ReactNode {
  const loans = wallet.obligations?.nodes;
  if (loans === undefined)
    return <Failure error={new Error(absence(errors, ['wallet', 'obligations'], 'Unknown'))} />;
  if (loans.length === 0)
    return (
      <section className="panel" aria-label="Loans">
        <Empty>
          This wallet has no loans or deposits in a market. <Link href="/markets">See the markets</Link>
        </Empty>
      </section>
    );
  return loans.map((loan, index) => (
    <LoanCard
      key={loan.id}
      loan={loan}
      loans={loans}
      groups={groups}
      act={act}
      open={open}
      why={(path, otherwise) =>
        absence(errors, ['wallet', 'obligations', 'nodes', index, ...path], otherwise)
      }
    />
  ));
}
