import type { ReactNode } from 'react';
import type { SwapTarget } from '../../act/swap-action.ts';
import { shortAddress } from '../../format/address.ts';
import type { LoanProps } from './loan-sides.tsx';
import type { Loan } from './wallet-documents.ts';

/** Opens the form that repays with collateral, or swaps a debt or a deposit. */
export function LoanSwap({ loan, act }: Pick<LoanProps, 'loan' | 'act'>): ReactNode {
  const { address } = loan;
  const target = swapTarget(loan);
  if (act === null || target === null) return null;
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

/** Null for a loan with nothing to swap, or whose market cannot be read. */
export function swapTarget({ address, market, deposits, borrows }: Loan): SwapTarget | null {
  if (market === null || deposits.length === 0) return null;
  return {
    kind: 'swap',
    market: market.address,
    obligation: address,
    deposits: deposits.map(sideOf),
    debts: borrows.map(sideOf),
  };
}

const sideOf = ({ reserveAddress, amount }: (Loan['deposits'] | Loan['borrows'])[number]) => ({
  reserve: reserveAddress,
  symbol: amount?.token.symbol ?? shortAddress(reserveAddress),
});
