import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

type Order = Loan['orders'][number];

/** Stop-loss and take-profit orders of a loan: what they do, and what would trigger them. */
export function LoanOrders({ loan, act }: Pick<LoanProps, 'loan' | 'act'>): ReactNode {
  const { market, borrows, orders } = loan;
  const [debt, ...others] = borrows;
  const open = (cancelled: number | null) => {
    if (act === null || market === null) return;
    const debtSymbol = others.length === 0 ? (debt?.reserve?.token.symbol ?? null) : null;
    act({ kind: 'order', market: market.address, obligation: loan.address, cancelled, debtSymbol });
  };
  const canAct = act !== null && market !== null;
  const which = shortAddress(loan.address);
  return (
    <>
      {orders.length > 0 && (
        <DataTable
          label={`Orders of ${which}`}
          rows={orders}
          columns={canAct ? [...COLUMNS, cancelColumn(which, open)] : COLUMNS}
          rowKey={({ index }) => String(index)}
          empty="No orders."
        />
      )}
      {canAct && debt !== undefined && orders.length < MOST_ORDERS && (
        <button
          type="button"
          aria-label={`Set a stop-loss or take-profit of ${which}`}
          onClick={() => open(null)}
        >
          Set a stop-loss or take-profit
        </button>
      )}
    </>
  );
}

const MOST_ORDERS = 2;

const COLUMNS: readonly Column<Order>[] = [
  { key: 'order', name: 'Order', cell: ({ description }) => <Sentence>{description}</Sentence> },
  {
    key: 'trigger',
    name: 'Trigger',
    cell: ({ trigger, isTriggered, hindrance }) => (
      <>
        {isTriggered === true && hindrance === null && <Badge tone="danger">Triggered</Badge>}{' '}
        <Sentence>{trigger ?? 'The market cannot be read.'}</Sentence>
      </>
    ),
  },
];

const cancelColumn = (which: string, open: (index: number) => void): Column<Order> => ({
  key: 'act',
  name: 'Act',
  cell: ({ index }) => (
    <button type="button" aria-label={`Cancel order ${index} of ${which}`} onClick={() => open(index)}>
      Cancel
    </button>
  ),
});
