import type { ReactNode } from 'react';
import { shortAddress } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

type Order = Loan['borrowOrders'][number];

const MOST_ORDERS = 3;

/** Borrow orders of a loan: what would be borrowed, and whether a reserve meets the terms. */
export function LoanBorrowOrders({ loan, act }: Pick<LoanProps, 'loan' | 'act'>): ReactNode {
  const { market, borrowOrders } = loan;
  const open = (cancelled: number | null) => {
    if (act === null || market === null) return;
    act({ kind: 'borrowOrder', market: market.address, obligation: loan.address, cancelled });
  };
  const canAct = act !== null && market !== null;
  const which = shortAddress(loan.address);
  return (
    <>
      {borrowOrders.length > 0 && (
        <DataTable
          label={`Borrow orders of ${which}`}
          rows={borrowOrders}
          columns={canAct ? [...COLUMNS, cancelColumn(which, open)] : COLUMNS}
          rowKey={({ index }) => String(index)}
          empty="No borrow orders."
        />
      )}
      {canAct && borrowOrders.length < MOST_ORDERS && (
        <button type="button" aria-label={`Place a borrow order of ${which}`} onClick={() => open(null)}>
          Place a borrow order
        </button>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Order>[] = [
  { key: 'order', name: 'Borrow order', cell: ({ description }) => <Sentence>{description}</Sentence> },
  {
    key: 'reserves',
    name: 'Reserves that meet it',
    cell: ({ isExpired, reserves }) =>
      isExpired ? <Badge>Expired</Badge> : reserves.filter(({ misfit }) => misfit === null).length,
  },
];

const cancelColumn = (which: string, open: (index: number) => void): Column<Order> => ({
  key: 'act',
  name: 'Act',
  cell: ({ index }) => (
    <button type="button" aria-label={`Cancel borrow order ${index} of ${which}`} onClick={() => open(index)}>
      Cancel
    </button>
  ),
});
