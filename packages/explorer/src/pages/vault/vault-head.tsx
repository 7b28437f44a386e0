import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { NameMark } from '../../lending/curator-name.tsx';
import { Who } from '../../lending/who.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Day } from '../../ui/time.tsx';
import { Absent, Count } from '../../ui/value.tsx';
import type { VaultDetail } from './vault-documents.ts';

/** Below the name of a vault: who runs it, since when, for how many, and where it is. */
export function VaultSubline({
  vault,
  whyHolders,
}: {
  readonly vault: VaultDetail;
  readonly whyHolders: string;
}): ReactNode {
  const { address, curator, nameVerified, nameResembles, createdAt, holders, isCurated, isPrivateCredit } =
    vault;
  return (
    <>
      <span className="run-by">
        run by{' '}
        <Link href={`/curators/${curator.address}`} title={curator.address}>
          <Who curator={curator} verified={nameVerified} />
        </Link>
      </span>
      {nameResembles !== null && <NameMark vault={vault} />}
      {createdAt !== null && (
        <span>
          since <Day value={createdAt} />
        </span>
      )}
      <span title="Wallets that hold shares, counted every hour">
        {holders === null ? <Absent why={whyHolders} /> : <Count value={holders.toString()} derived />}{' '}
        holders
      </span>
      <Address address={address} what="vault" />
      {isCurated === true && <Badge tone="safe">Curated markets only</Badge>}
      {isPrivateCredit && <Badge tone="caution">Private credit</Badge>}
    </>
  );
}
