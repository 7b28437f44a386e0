import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { curatorName, VerifiedMark } from '../../lending/curator-name.tsx';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import {
  CURATOR,
  CURATOR_CHANGES,
  CURATOR_FEES,
  CURATOR_RISK,
  type CuratorDetail,
} from './curator-documents.ts';
import {
  AllocationTable,
  ChangeTable,
  ExposureTable,
  FeeTable,
  IncidentTable,
  VaultTable,
} from './curator-tables.tsx';

const UNKNOWN = 'A token of a vault has no price, or a reserve cannot be read';

export default function CuratorPage({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(CURATOR, variables, { refetchMs: 60_000 });
  const risk = useSluiceQuery(CURATOR_RISK, variables, { refetchMs: 60_000 });
  const fees = useSluiceQuery(CURATOR_FEES, variables, { refetchMs: 60_000 });
  const changes = useSluiceQuery(CURATOR_CHANGES, variables, { refetchMs: 60_000 });
  const curator = result.data?.data.curator ?? null;
  const panel = { document: CURATOR, variables, result };
  const atRisk = { document: CURATOR_RISK, variables, result: risk };
  return (
    <Page
      title={curator === null ? 'Curator' : curatorName(curator)}
      aside={
        <>
          <Address address={address} what="admin authority" />
          {curator !== null && <VerifiedMark verified={curator.verified} />}
        </>
      }
    >
      <Panel title="Overview" {...panel}>
        {({ curator: read }) =>
          read === null ? <Empty>There is no curator to show.</Empty> : <Overview curator={read} />
        }
      </Panel>
      {curator !== null && (
        <>
          <Panel title="Vaults" secondary {...panel}>
            {() => <VaultTable vaults={curator.vaults.nodes} />}
          </Panel>
          <div className="columns">
            <Panel title="Allocation by market" secondary {...panel}>
              {() =>
                curator.allocations === null ? (
                  <Empty>{UNKNOWN}.</Empty>
                ) : (
                  <AllocationTable rows={curator.allocations} />
                )
              }
            </Panel>
            <Panel title="What stands behind the tokens" {...atRisk}>
              {({ curator: read }) =>
                read?.exposures ? <ExposureTable rows={read.exposures} /> : <Empty>{UNKNOWN}.</Empty>
              }
            </Panel>
          </div>
          <Panel title="Incidents" secondary {...atRisk}>
            {({ curator: read }) => (read?.incidents ? <IncidentTable rows={read.incidents} /> : <Unread />)}
          </Panel>
          <Panel title="Fees by day" document={CURATOR_FEES} variables={variables} result={fees}>
            {({ curator: read }) =>
              read?.feesHistory ? <FeeTable points={read.feesHistory.points} /> : <Unread />
            }
          </Panel>
          <Panel
            title="Changes of allocations"
            document={CURATOR_CHANGES}
            variables={variables}
            result={changes}
          >
            {({ curator: read }) =>
              read?.allocationChanges ? <ChangeTable rows={read.allocationChanges.nodes} /> : <Unread />
            }
          </Panel>
        </>
      )}
    </Page>
  );
}

/** The panel, or the one before it with the same query, says why. */
const Unread = (): ReactNode => <Empty>This cannot be read now.</Empty>;

function Overview({ curator }: { readonly curator: CuratorDetail }): ReactNode {
  const { value, fees, vaults, verified, authorities } = curator;
  return (
    <>
      <Figures>
        <Figure name="Value" hint="Total value of its vaults, which belongs to their shareholders">
          <Usd value={value.usd} absent={UNKNOWN} />
        </Figure>
        <Figure name="Vaults">
          <Count value={vaults.totalCount?.toString()} />
        </Figure>
        <Figure name="Performance fees" hint="Since each vault was created, at present prices">
          <Usd value={fees.performance.usd} absent={UNKNOWN} />
        </Figure>
        <Figure name="Management fees" hint="Since each vault was created, at present prices">
          <Usd value={fees.management.usd} absent={UNKNOWN} />
        </Figure>
        <Figure name="Fees not withdrawn">
          <Usd value={fees.pending.usd} absent={UNKNOWN} />
        </Figure>
      </Figures>
      {verified ? (
        <Claim curator={curator} />
      ) : (
        <p>
          The catalogue of this gateway does not say to whom this admin authority belongs. The names of its
          vaults prove nothing.
        </p>
      )}
      <p className="links">
        {authorities.map((authority) => (
          <Address key={authority} address={authority} what="admin authority" />
        ))}
      </p>
    </>
  );
}

/** On what grounds the operator vouches for the name. */
function Claim({
  curator: { source, checkedAt, website },
}: {
  readonly curator: Pick<CuratorDetail, 'source' | 'checkedAt' | 'website'>;
}): ReactNode {
  return (
    <p>
      The operator of this gateway says that these admin authorities belong to it. Source: {source}
      {checkedAt !== null && (
        <>
          , checked <Time value={checkedAt} />
        </>
      )}
      .
      {website !== null && (
        <>
          {' '}
          <a href={website} target="_blank" rel="noreferrer">
            {website}
          </a>
        </>
      )}
    </p>
  );
}
