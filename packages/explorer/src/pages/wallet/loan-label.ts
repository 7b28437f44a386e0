import { shortAddress } from '../../format/address.ts';
import { collateralName, loanName, type Sides } from '../../lending/loan-name.ts';

type Named = Sides & { readonly address: string };

/** The name of a loan; with its address where another loan of the wallet has the same tokens. */
export function loanLabel(loan: Named, loans: readonly Named[], length: 'full' | 'short' = 'full'): string {
  const nameOf = length === 'full' ? loanName : collateralName;
  const name = nameOf(loan);
  const isAlone = loans.every((other) => other.address === loan.address || nameOf(other) !== name);
  return isAlone ? name : `${name} (${shortAddress(loan.address)})`;
}
