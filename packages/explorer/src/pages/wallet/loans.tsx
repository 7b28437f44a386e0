import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { absence } from '../../ui/absence.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { LoanCard } from './loan-card.tsx';
import type { ActingProps } from './vault-positions.tsx';

export interface LoansProps extends ActingProps {
  /** Opens a form, also when another wallet is shown. */
  readonly open: NonNullable<ActingProps['act']>;
}

export function Loans({ wallet, errors, act, open }: LoansProps): ReactNode {
  const loans = wallet.obligations?.nodes;
  if (loans === undefined)
    return <Failure error={new Error(absence(errors, ['wallet', 'obligations'], 'Unknown'))} />;
  if (loans.length === 0)
    return (
      <Empty>
        This wallet has no loans or deposits in a market. <Link href="/markets">See the markets</Link>
      </Empty>
    );
  return loans.map((loan, index) => (
    <LoanCard
      key={loan.id}
      loan={loan}
      act={act}
      open={open}
      why={(path, otherwise) =>
        absence(errors, ['wallet', 'obligations', 'nodes', index, ...path], otherwise)
      }
    />
  ));
}
