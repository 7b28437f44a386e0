import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { CuratorLink, curatorName, VerifiedMark } from '../../lending/curator-name.tsx';
import { Address } from '../../ui/address.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Day } from '../../ui/time.tsx';
import { Count, Percent, Tokens, Usd } from '../../ui/value.tsx';
import type { VaultDetail } from './vault-documents.ts';
import { fractionOfBps } from './vault-facts.tsx';

/** Whoever may change the vault, on what grounds we know them, and what they take. */
export function RunsIt({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const { curator, state } = vault;
  const isOneKey = state.vaultAdminAuthority === state.allocationAdmin;
  return (
    <>
      <div className="name">
        <PlaceMark name={curatorName(curator)} logo={curator.logoUrl} size={48} />
        <span>
          <b>
            <CuratorLink curator={curator} />
          </b>
          <span className="line2">
            Curator of <Count value={curator.vaults.totalCount?.toString()} />{' '}
            {curator.vaults.totalCount === 1 ? 'vault' : 'vaults'},{' '}
            <Usd value={curator.value.usd} absent="A token of a vault has no price" />
          </span>
        </span>
        <VerifiedMark verified={curator.verified} />
      </div>
      <dl className="pairs">
        <dt>Verified by</dt>
        <dd>
          <Grounds curator={curator} />
        </dd>
        {isOneKey ? (
          <>
            <dt>Admin and allocator</dt>
            <dd>
              <Address address={state.vaultAdminAuthority} what="admin" />
            </dd>
          </>
        ) : (
          <>
            <dt title="May change the vault">Admin</dt>
            <dd>
              <Address address={state.vaultAdminAuthority} what="admin" />
            </dd>
            <dt title="May change the weights and caps">Allocator</dt>
            <dd>
              <Address address={state.allocationAdmin} what="allocation admin" />
            </dd>
          </>
        )}
        <FeeTerms vault={vault} />
      </dl>
      <Notice tone="caution">
        {isOneKey
          ? 'One address can change fees and allocation, without delay.'
          : 'The admin can change fees and allocation, the allocator where the money is, both without delay.'}
      </Notice>
    </>
  );
}

function Grounds({ curator: { verified, source, checkedAt } }: Pick<VaultDetail, 'curator'>): ReactNode {
  if (!verified) return 'Nobody: the name of the vault proves nothing';
  const isLink = source?.startsWith('https://') === true;
  return (
    <>
      {isLink ? (
        <a href={source} target="_blank" rel="noreferrer">
          {source.replace(/^https:\/\//, '')}
        </a>
      ) : (
        (source ?? 'The operator of this gateway')
      )}
      {checkedAt !== null && (
        <>
          , checked <Day value={checkedAt} />
        </>
      )}
    </>
  );
}

function FeeTerms({ vault: { fees, state, token } }: { readonly vault: VaultDetail }): ReactNode {
  const leavingUnits = state.withdrawalPenaltyLamports;
  const noLeaving = (fees.withdrawalPenaltyBps ?? 0) === 0 && leavingUnits === '0';
  return (
    <>
      <dt>Performance fee</dt>
      <dd>
        <Fee bps={fees.performanceBps} of="of interest" />
      </dd>
      <dt>Management fee</dt>
      <dd>
        <Fee bps={fees.managementBps} of="of the value per year" />
      </dd>
      <dt title="Stays in the vault, for those who stay">Fee for leaving</dt>
      <dd>
        {noLeaving ? (
          'None'
        ) : (
          <>
            <Fee bps={fees.withdrawalPenaltyBps ?? 0} />
            {leavingUnits !== '0' && (
              <>
                , at least{' '}
                <Tokens
                  value={Decimal.fromBaseUnits(leavingUnits, token.decimals).toString()}
                  symbol={token.symbol}
                  derived
                />
              </>
            )}
          </>
        )}
      </dd>
    </>
  );
}

const Fee = ({ bps, of = '' }: { readonly bps: number; readonly of?: string }): ReactNode =>
  bps === 0 ? (
    'None'
  ) : (
    <>
      <Percent value={fractionOfBps(bps)} derived />
      {of === '' ? '' : ` ${of}`}
    </>
  );
