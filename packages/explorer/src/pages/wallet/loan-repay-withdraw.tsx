import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import type { LoanProps } from './loan-sides.tsx';
import { reserveOptions } from './reach.ts';

/** Opens the form that repays a debt and withdraws a deposit at once. Nothing without one of each. */
export function LoanRepayWithdraw({ loan, act }: Pick<LoanProps, 'loan' | 'act'>): ReactNode {
  const { market, address } = loan;
  const [debt, ...debts] = reserveOptions(loan, 'REPAY');
  const [deposit, ...deposits] = reserveOptions(loan, 'WITHDRAW');
  if (act === null || market === null || debt === undefined || deposit === undefined) return null;
  return (
    <button
      type="button"
      aria-label={`Repay and withdraw at once of ${shortAddress(address)}`}
      onClick={() =>
        act({
          kind: 'repay-withdraw',
          market: market.address,
          obligation: address,
          debts: [debt, ...debts],
          deposits: [deposit, ...deposits],
        })
      }
    >
      Repay and withdraw at once
    </button>
  );
}
