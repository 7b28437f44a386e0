import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

/** Opens the form that repays with collateral, or swaps a debt or a deposit. */
export function LoanSwap({ loan, act }: Pick<LoanProps, 'loan' | 'act'>): ReactNode {
  const { address, market, deposits, borrows } = loan;
  if (act === null || market === null || deposits.length === 0) return null;
  const target = {
    kind: 'swap',
    market: market.address,
    obligation: address,
    deposits: deposits.map(sideOf),
    debts: borrows.map(sideOf),
  } as const;
  return (
    <button
      type="button"
      aria-label={`Swap debt or collateral of ${shortAddress(address)}`}
      onClick={() => act(target)}
    >
      Swap debt or collateral
    </button>
  );
}

const sideOf = ({ reserveAddress, amount }: (Loan['deposits'] | Loan['borrows'])[number]) => ({
  reserve: reserveAddress,
  symbol: amount?.token.symbol ?? shortAddress(reserveAddress),
});
