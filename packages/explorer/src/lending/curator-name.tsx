import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../format/address.ts';
import { Badge } from '../ui/notice.tsx';

interface NamedCurator {
  readonly address: string;
  /** Null when the catalogue does not name it. */
  readonly name: string | null;
  readonly verified: boolean;
}

/** Name of the catalogue, or the address: a curator has no name of its own. */
export const curatorName = ({ name, address }: Pick<NamedCurator, 'name' | 'address'>): string =>
  name ?? shortAddress(address);

/** Whether the operator of the gateway vouches for the name, in words. */
export function VerifiedMark({ verified }: Pick<NamedCurator, 'verified'>): ReactNode {
  return verified ? <Badge tone="safe">Verified</Badge> : <Badge tone="caution">Not verified</Badge>;
}

export function CuratorLink({
  curator,
}: {
  readonly curator: Pick<NamedCurator, 'name' | 'address'>;
}): ReactNode {
  return (
    <Link href={`/curators/${curator.address}`} title={curator.address}>
      {curatorName(curator)}
    </Link>
  );
}

export interface MarkedVault {
  readonly nameVerified: boolean;
  readonly nameResembles: { readonly name: string | null } | null;
}

/** Why the name of a vault proves nothing; nothing for a verified one. */
export function NameMark({ vault }: { readonly vault: MarkedVault }): ReactNode {
  if (vault.nameResembles !== null) {
    return <Badge tone="danger">Not run by {vault.nameResembles.name ?? 'its namesake'}</Badge>;
  }
  return vault.nameVerified ? null : <span className="muted">name not verified</span>;
}
