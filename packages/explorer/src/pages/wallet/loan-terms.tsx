import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { Time } from '../../ui/time.tsx';
import { Plain, Tokens } from '../../ui/value.tsx';
import type { Loan } from './wallet-documents.ts';

type DebtEnd = Loan['debtEnds'][number];

/** Ends of the debts of a loan, the earliest first, and what repaying today costs. Nothing for debts that never end. */
export function LoanTerms({ loan }: { readonly loan: Loan }): ReactNode {
  const { debtEnds, borrows } = loan;
  if (debtEnds.length === 0) return null;
  const penaltyOf = ({ reserveAddress }: DebtEnd) =>
    borrows.find((borrow) => borrow.reserveAddress === reserveAddress)?.earlyRepayPenalty ?? null;
  const columns: readonly Column<DebtEnd>[] = [
    {
      key: 'token',
      name: 'Debt',
      cell: ({ reserve, reserveAddress }) => reserve?.token.symbol ?? shortAddress(reserveAddress),
    },
    {
      key: 'end',
      name: 'Ends',
      cell: ({ endsAt, isOver }) => (
        <>
          <Time value={endsAt} /> {isOver && <Badge tone="danger">Over</Badge>}
        </>
      ),
    },
    {
      key: 'days',
      name: 'Days left',
      cell: ({ daysLeft }) => <Plain value={daysLeft} places={1} />,
      align: 'end',
    },
    {
      key: 'penalty',
      name: 'Repaying today costs',
      hint: 'Penalty of repaying all of the debt before the end of its term, on top of the debt',
      cell: (row) => {
        const penalty = penaltyOf(row);
        return (
          <Tokens
            value={penalty?.amount}
            symbol={penalty?.token.symbol ?? ''}
            absent="The reserve cannot be read."
          />
        );
      },
      align: 'end',
    },
    { key: 'then', name: 'Then', cell: ({ description }) => <Sentence>{description}</Sentence> },
  ];
  return (
    <DataTable
      label={`Ends of the debts of ${shortAddress(loan.address)}`}
      rows={debtEnds}
      columns={columns}
      rowKey={({ reserveAddress, cause }) => `${reserveAddress} ${cause}`}
      empty="No debt ends."
    />
  );
}
