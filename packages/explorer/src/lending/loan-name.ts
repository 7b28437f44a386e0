import { shortAddress } from '../format/address.ts';

interface Side {
  readonly reserveAddress: string;
  readonly reserve: { readonly token: { readonly symbol: string } } | null;
}

export const symbolOf = ({ reserve, reserveAddress }: Side): string =>
  reserve?.token.symbol ?? shortAddress(reserveAddress);

/** "USDT, EURK, owing tdSOL" */
export function loanName(deposits: readonly Side[], debts: readonly Side[]): string {
  const held = deposits.length === 0 ? 'No collateral' : deposits.map(symbolOf).join(', ');
  return debts.length === 0 ? `${held}, no debt` : `${held}, owing ${debts.map(symbolOf).join(', ')}`;
}
