import type { ReactNode } from 'react';
import { Sentence } from '../../../ui/sentence.tsx';
import { loanLabel } from '../loan-label.ts';
import type { ActingProps } from '../vault-positions.tsx';
import type { Loan } from '../wallet-documents.ts';
import type { WatchedRow } from './watched-row.ts';

/** Orders of all loans of the wallet. They act by themselves; anyone may fill them. */
export const orderRows = (loans: readonly Loan[], act: ActingProps['act']): readonly WatchedRow[] =>
  loans.flatMap((loan) => [...leverageOrders(loan, loans, act), ...borrowOrders(loan, loans, act)]);

function leverageOrders(loan: Loan, loans: readonly Loan[], act: ActingProps['act']): readonly WatchedRow[] {
  const { market, borrows, orders, address } = loan;
  const name = loanLabel(loan, loans);
  const debtSymbol = borrows.length === 1 ? (borrows[0]?.reserve?.token.symbol ?? null) : null;
  return orders.map(({ index, description, trigger, isTriggered, hindrance }): WatchedRow => {
    const isDue = isTriggered === true && hindrance === null;
    return {
      key: `order ${address} ${index}`,
      kind: 'order',
      title: name,
      detail: 'Order of a loan',
      does: (
        <>
          <Sentence>{description}</Sentence> <Sentence>{trigger ?? 'The market cannot be read.'}</Sentence>
        </>
      ),
      state: { risk: isDue ? 'caution' : 'safe', words: isDue ? 'Triggered' : 'Waiting' },
      action:
        act === null || market === null ? null : (
          <Cancel
            name={`order ${index} of ${name}`}
            onClick={() =>
              act({
                kind: 'order',
                market: market.address,
                obligation: address,
                cancelled: index,
                debtSymbol,
              })
            }
          />
        ),
    };
  });
}

function borrowOrders(loan: Loan, loans: readonly Loan[], act: ActingProps['act']): readonly WatchedRow[] {
  const { market, address } = loan;
  const name = loanLabel(loan, loans);
  return loan.borrowOrders.map(
    ({ index, description, isExpired }): WatchedRow => ({
      key: `borrow order ${address} ${index}`,
      kind: 'order',
      title: name,
      detail: 'Borrow order',
      does: <Sentence>{description}</Sentence>,
      state: isExpired ? { risk: null, words: 'Expired' } : { risk: 'safe', words: 'Waiting' },
      action:
        act === null || market === null ? null : (
          <Cancel
            name={`borrow order ${index} of ${name}`}
            onClick={() =>
              act({ kind: 'borrowOrder', market: market.address, obligation: address, cancelled: index })
            }
          />
        ),
    }),
  );
}

function Cancel({ name, onClick }: { readonly name: string; readonly onClick: () => void }): ReactNode {
  return (
    <button type="button" className="small" onClick={onClick}>
      Cancel<span className="visually-hidden"> {name}</span>
    </button>
  );
}
