interface Listed {
  readonly status: string;
  readonly token: { readonly symbol: string };
}

/** Reserves that are open for new positions and listed by default, in their order. */
export const listedReserves = <Reserve extends Listed>(reserves: readonly Reserve[]): Reserve[] =>
  reserves.filter(({ status }) => status === 'ACTIVE');

/** Tickers of which the market has several reserves: only the address tells those apart. */
export function sharedTickers(reserves: readonly Pick<Listed, 'token'>[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { token } of reserves) (seen.has(token.symbol) ? shared : seen).add(token.symbol);
  return shared;
}
