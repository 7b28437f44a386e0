import { shortAddress } from '../format/address.ts';

interface Side {
  readonly amount: { readonly token: { readonly symbol: string } } | null;
}

export interface Sides {
  readonly deposits: readonly Side[];
  readonly borrows: readonly Side[];
}

/** A side of which only the reserve is known. */
interface ReserveSide {
  readonly reserveAddress: string;
  readonly reserve: { readonly token: { readonly symbol: string } } | null;
}

const listed = (symbols: readonly string[]): string =>
  symbols.length === 2 ? symbols.join(' and ') : symbols.join(', ');

/** "SOL and wBTC, owing USDC" */
function nameOf(held: readonly string[], owed: readonly string[]): string {
  const collateral = held.length === 0 ? 'No collateral' : listed(held);
  return owed.length === 0 ? `${collateral}, no debt` : `${collateral}, owing ${listed(owed)}`;
}

const symbolOfAmount = ({ amount }: Side): string => amount?.token.symbol ?? 'an unknown token';

/** "SOL and wBTC" */
export const collateralName = ({ deposits }: Pick<Sides, 'deposits'>): string =>
  deposits.length === 0 ? 'No collateral' : listed(deposits.map(symbolOfAmount));

export const loanName = ({ deposits, borrows }: Sides): string =>
  nameOf(deposits.map(symbolOfAmount), borrows.map(symbolOfAmount));

export const symbolOf = ({ reserve, reserveAddress }: ReserveSide): string =>
  reserve?.token.symbol ?? shortAddress(reserveAddress);

export const loanNameByReserves = (deposits: readonly ReserveSide[], debts: readonly ReserveSide[]): string =>
  nameOf(deposits.map(symbolOf), debts.map(symbolOf));
