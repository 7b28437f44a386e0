import { type ReactNode, useId } from 'react';
import { purposeOf } from '../../act/loan-purpose.ts';
import { shortAddress } from '../../format/address.ts';
import type { Loan } from './wallet-documents.ts';

export interface LoanSelectProps {
  readonly loans: readonly Loan[];
  readonly value: string;
  readonly onChange: (address: string) => void;
}

/** Which loan of the wallet a panel is about. A wallet with one loan has no choice. */
export function LoanSelect({ loans, value, onChange }: LoanSelectProps): ReactNode {
  const id = useId();
  if (loans.length < 2) return null;
  return (
    <p className="field">
      <label htmlFor={id}>Loan</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {loans.map((loan) => (
          <option key={loan.address} value={loan.address}>
            {loan.market?.name || 'Unknown market'}, {purposeOf(loan)} {shortAddress(loan.address)}
          </option>
        ))}
      </select>
    </p>
  );
}
