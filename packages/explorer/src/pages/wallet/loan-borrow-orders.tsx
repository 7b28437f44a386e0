import type { ReactNode } from 'react';
import { fillTask } from '../../act/tasks/loan-tasks.ts';
import { shortAddress } from '../../format/address.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

type Order = Loan['borrowOrders'][number];

const MOST_ORDERS = 3;

/** Borrow orders of a loan: what would be borrowed, and whether a reserve meets the terms. */
export function LoanBorrowOrders({ loan, act, open }: Pick<LoanProps, 'loan' | 'act' | 'open'>): ReactNode {
  const { market, borrowOrders } = loan;
  const place = (cancelled: number | null) => {
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
          columns={[
            ...COLUMNS,
            ...(market === null ? [] : [fillColumn(loan, market.address, open)]),
            ...(canAct ? [cancelColumn(which, place)] : []),
          ]}
          rowKey={({ index }) => String(index)}
          empty="No borrow orders."
        />
      )}
      {canAct && borrowOrders.length < MOST_ORDERS && (
        <button type="button" aria-label={`Place a borrow order of ${which}`} onClick={() => place(null)}>
          Place a borrow order
        </button>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Order>[] = [
  {
    key: 'order',
    name: 'Borrow order',
    cell: ({ description }) => <Sentence>{description}</Sentence>,
  },
  {
    key: 'reserves',
    name: 'Reserves that meet it',
    cell: ({ isExpired, reserves }) =>
      isExpired ? <Badge>Expired</Badge> : reserves.filter(({ misfit }) => misfit === null).length,
  },
];

/** Anyone may fill an order that a reserve meets. */
const fillColumn = (loan: Loan, market: string, open: LoanProps['open']): Column<Order> => ({
  key: 'fill',
  name: 'Fill',
  cell: ({ index, isExpired, reserves }) => {
    const fitting = reserves.flatMap(({ reserveAddress, reserve, misfit }) =>
      misfit === null && reserve !== null
        ? [{ reserve: reserveAddress, symbol: `${reserve.token.symbol} ${shortAddress(reserveAddress)}` }]
        : [],
    );
    const lent = reserves.find(({ reserve }) => reserve !== null)?.reserve?.token.symbol;
    if (isExpired || fitting.length === 0) return <span className="muted">Cannot be filled</span>;
    return (
      <button
        type="button"
        aria-label={`Fill borrow order ${index} of ${shortAddress(loan.address)}`}
        onClick={() =>
          open({
            kind: 'tasks',
            title: `Fill borrow order ${index}`,
            subject: loan.address,
            tasks: [fillTask({ market, obligation: loan.address }, index, fitting, lent ?? 'tokens')],
            symbols: {},
          })
        }
      >
        Fill
      </button>
    );
  },
});

const cancelColumn = (which: string, open: (index: number) => void): Column<Order> => ({
  key: 'act',
  name: 'Act',
  cell: ({ index }) => (
    <button type="button" aria-label={`Cancel borrow order ${index} of ${which}`} onClick={() => open(index)}>
      Cancel
    </button>
  ),
});
