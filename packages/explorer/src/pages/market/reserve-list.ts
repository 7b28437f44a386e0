import { isNearDollar } from '../../lending/heat/heat-shocks.ts';

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

/** Which reserves are shown. */
export type Kind = 'all' | 'dollars' | 'sol' | 'held';

interface Choosable {
  readonly token: { readonly symbol: string; readonly mint: string };
  readonly price: { readonly usd: string } | null;
}

/** SOL and what stands for staked SOL is known by its ticker. */
export function isOfKind(
  { token, price }: Choosable,
  kind: Kind,
  heldMints: ReadonlySet<string> | null,
): boolean {
  if (kind === 'dollars') return price !== null && isNearDollar(price.usd);
  if (kind === 'sol') return token.symbol.endsWith('SOL');
  if (kind === 'held') return heldMints?.has(token.mint) ?? false;
  return true;
}
