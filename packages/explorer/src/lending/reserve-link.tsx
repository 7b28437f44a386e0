import type { ReactNode } from 'react';
import { Link } from 'wouter';

export interface ReserveLinkProps {
  readonly reserve: { readonly address: string; readonly token: { readonly symbol: string } };
}

export function ReserveLink({ reserve }: ReserveLinkProps): ReactNode {
  return (
    <Link href={`/reserves/${reserve.address}`} title={reserve.address}>
      {reserve.token.symbol}
    </Link>
  );
}

/** Links in a row, separated by space. */
export function ReserveLinks({
  reserves,
}: {
  readonly reserves: readonly ReserveLinkProps['reserve'][];
}): ReactNode {
  return (
    <span className="links">
      {reserves.map((reserve) => (
        <ReserveLink key={reserve.address} reserve={reserve} />
      ))}
    </span>
  );
}
