import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../../format/address.ts';
import { curatorName } from '../../lending/curator-name.tsx';
import { Address } from '../../ui/address.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Changes } from './curator-changes.tsx';
import {
  CURATOR,
  CURATOR_CHANGES,
  CURATOR_FEES,
  CURATOR_RISK,
  type CuratorDetail,
  type CuratorExposure,
} from './curator-documents.ts';
import { Overview, UNKNOWN } from './curator-overview.tsx';
import { AllocationTable, ExposureTable, FeeTable, IncidentTable, VaultTable } from './curator-tables.tsx';
import { exposureWords } from './curator-words.ts';
import { ShareList } from './share-list.tsx';
import '../../styles/lending.css';
import '../../styles/parts.css';

export default function CuratorPage({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(CURATOR, variables, { refetchMs: 60_000 });
  const risk = useSluiceQuery(CURATOR_RISK, variables, { refetchMs: 60_000 });
  const fees = useSluiceQuery(CURATOR_FEES, variables, { refetchMs: 60_000 });
  const changes = useSluiceQuery(CURATOR_CHANGES, variables, { refetchMs: 60_000 });
  const curator = result.data?.data.curator ?? null;
  const panel = { document: CURATOR, variables, result };
  const atRisk = { document: CURATOR_RISK, variables, result: risk };
  const name = curator === null ? 'Curator' : curatorName(curator);
  return (
    <Page
      title={name}
      crumb={
        <>
          <Link href="/vaults">Earn</Link> / <Link href="/curators">Curators</Link>
        </>
      }
      mark={<PlaceMark name={name} logo={curator?.logoUrl ?? null} size={56} />}
      aside={
        <>
          {curator !== null && <Seal verified={curator.verified} />}
          <Address address={address} what="admin authority" />
        </>
      }
    >
      <div className="untitled">
        <Panel title="Overview" {...panel}>
          {({ curator: read }) =>
            read === null ? <Empty>There is no curator to show.</Empty> : <Overview curator={read} />
          }
        </Panel>
      </div>
      {curator !== null && (
        <>
          <Panel title="Vaults" secondary {...panel}>
            {() => <VaultTable vaults={curator.vaults.nodes} />}
          </Panel>
          <div className="halves">
            <Panel title="Where the money is" secondary {...panel}>
              {() => <Allocations rows={curator.allocations} />}
            </Panel>
            <Panel title="What stands behind it" {...atRisk}>
              {({ curator: read }) => <Exposures rows={read?.exposures ?? null} />}
            </Panel>
          </div>
          <Panel title="Incidents" secondary {...atRisk}>
            {({ curator: read }) => (read?.incidents ? <IncidentTable rows={read.incidents} /> : <Unread />)}
          </Panel>
          <Panel title="Activity" document={CURATOR_CHANGES} variables={variables} result={changes}>
            {({ curator: read }) =>
              read?.allocationChanges ? <Changes rows={read.allocationChanges.nodes} /> : <Unread />
            }
          </Panel>
          <Panel title="Fees" document={CURATOR_FEES} variables={variables} result={fees}>
            {({ curator: read }) =>
              read?.feesHistory ? (
                <details>
                  <summary>Fees by day</summary>
                  <FeeTable points={read.feesHistory.points} />
                </details>
              ) : (
                <Unread />
              )
            }
          </Panel>
        </>
      )}
    </Page>
  );
}

const Seal = ({ verified }: { readonly verified: boolean }): ReactNode =>
  verified ? (
    <span className="who">
      <Icon name="seal" /> Verified
    </span>
  ) : (
    <span>Not verified</span>
  );

function Allocations({ rows }: { readonly rows: CuratorDetail['allocations'] }): ReactNode {
  if (rows === null) return <Empty>{UNKNOWN}.</Empty>;
  if (rows.length === 0) return <Empty>The vaults are empty.</Empty>;
  return (
    <>
      <ShareList
        parts={rows.map(({ marketAddress, market, share, usd }) => ({
          key: marketAddress ?? 'idle',
          name: market?.name || (marketAddress === null ? 'Not lent out' : shortAddress(marketAddress)),
          share,
          usd,
        }))}
      />
      <details>
        <summary>All markets</summary>
        <AllocationTable rows={rows} />
      </details>
    </>
  );
}

function Exposures({ rows }: { readonly rows: readonly CuratorExposure[] | null }): ReactNode {
  if (rows === null) return <Empty>{UNKNOWN}.</Empty>;
  if (rows.length === 0) return <Empty>The vaults are empty.</Empty>;
  return (
    <>
      <ShareList
        parts={rows.map((row) => ({
          key: `${row.kind} ${row.mint}`,
          name: exposureWords(row),
          share: row.share,
          usd: row.usd,
        }))}
      />
      <details>
        <summary>All tokens</summary>
        <ExposureTable rows={rows} />
      </details>
    </>
  );
}

/** The panel, or the one before it with the same query, says why. */
const Unread = (): ReactNode => <Empty>This cannot be read now.</Empty>;
