interface Side {
  readonly amount: { readonly token: { readonly symbol: string } } | null;
}

export interface Sides {
  readonly deposits: readonly Side[];
  readonly borrows: readonly Side[];
}

const symbolsOf = (sides: readonly Side[]): string =>
  sides.map(({ amount }) => amount?.token.symbol ?? 'an unknown token').join(' and ');

/** "SOL and wBTC" */
export const collateralName = ({ deposits }: Pick<Sides, 'deposits'>): string =>
  deposits.length === 0 ? 'Nothing' : symbolsOf(deposits);

/** "SOL and wBTC, owing USDC" */
export const loanName = (loan: Sides): string =>
  loan.borrows.length === 0
    ? `${collateralName(loan)}, lent`
    : `${collateralName(loan)}, owing ${symbolsOf(loan.borrows)}`;
