import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { NameMark } from '../../lending/curator-name.tsx';
import { vaultName } from '../../lending/vault-cells.tsx';
import { Address } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Time } from '../../ui/time.tsx';
import { Absent, Percent, Plain, Tokens, Usd } from '../../ui/value.tsx';
import type {
  AllocationChange,
  CuratedVault,
  CuratorAllocation,
  CuratorExposure,
  CuratorIncident,
  FeePoint,
} from './curator-documents.ts';
import { changeWords, exposureWords, incidentWords } from './curator-words.ts';

const UNREADABLE = 'A reserve of this vault cannot be read';
const UNPRICED = 'A token of a vault has no price, or a reserve cannot be read';

const VAULT_COLUMNS: readonly Column<CuratedVault>[] = [
  { key: 'name', name: 'Vault', sort: { text: vaultName }, cell: vaultName },
  {
    key: 'mark',
    name: 'Name',
    cell: (vault) => (vault.nameVerified ? 'Verified' : <NameMark vault={vault} />),
  },
  {
    key: 'token',
    name: 'Token',
    sort: { text: ({ token }) => token.symbol },
    cell: ({ token }) => token.symbol,
  },
  {
    key: 'value',
    name: 'Value',
    sort: { decimal: ({ totalValue }) => totalValue?.usd },
    cell: ({ totalValue }) => <Usd value={totalValue?.usd} absent={UNPRICED} />,
  },
  {
    key: 'apy',
    name: 'APY',
    hint: 'Current yield of shareholders per year, after fees and with all rewards',
    sort: { decimal: ({ currentApy }) => currentApy?.total },
    cell: ({ currentApy }) => <Percent value={currentApy?.total} absent={UNREADABLE} />,
  },
];

export const VaultTable = ({ vaults }: { readonly vaults: readonly CuratedVault[] }): ReactNode => (
  <DataTable
    label="Vaults of the curator"
    rows={vaults}
    columns={VAULT_COLUMNS}
    rowKey={({ address }) => address}
    href={({ address }) => `/vaults/${address}`}
    empty="This curator has no vault."
  />
);

const ALLOCATION_COLUMNS: readonly Column<CuratorAllocation>[] = [
  {
    key: 'market',
    name: 'Market',
    cell: ({ market, marketAddress }) =>
      marketAddress === null ? (
        'Not invested'
      ) : (
        <Link href={`/markets/${marketAddress}`} title={marketAddress}>
          {market?.name || marketAddress}
        </Link>
      ),
  },
  shareColumn('Part of the tokens of its vaults', ({ market }) => market?.name ?? 'idle tokens'),
  usdColumn(),
];

export const AllocationTable = ({ rows }: { readonly rows: readonly CuratorAllocation[] }): ReactNode => (
  <DataTable
    label="Allocation by market"
    rows={rows}
    columns={ALLOCATION_COLUMNS}
    rowKey={({ marketAddress }) => marketAddress ?? 'idle'}
    empty="The vaults are empty."
  />
);

const EXPOSURE_COLUMNS: readonly Column<CuratorExposure>[] = [
  { key: 'kind', name: 'Tokens', cell: exposureWords },
  shareColumn<CuratorExposure>('Part of the tokens of its vaults', exposureWords),
  usdColumn(),
];

export const ExposureTable = ({ rows }: { readonly rows: readonly CuratorExposure[] }): ReactNode => (
  <DataTable
    label="What stands behind the tokens"
    rows={rows}
    columns={EXPOSURE_COLUMNS}
    rowKey={({ kind, mint }) => `${kind} ${mint}`}
    empty="The vaults are empty."
  />
);

const INCIDENT_COLUMNS: readonly Column<CuratorIncident>[] = [
  { key: 'kind', name: 'Incident', cell: incidentWords },
  {
    key: 'vault',
    name: 'Vault',
    cell: ({ vault }) => <Link href={`/vaults/${vault.address}`}>{vaultName(vault)}</Link>,
  },
  { key: 'reserve', name: 'Reserve', cell: (incident) => <Place place={incident} /> },
  {
    key: 'size',
    name: 'Size',
    hint: 'Share of the vault in the bad debt, or the part of its value that a share lost',
    align: 'end',
    cell: ({ vaultBadDebtUsd, fall }) =>
      fall === null ? <Usd value={vaultBadDebtUsd} absent="It has no amount" /> : <Percent value={fall} />,
  },
  {
    key: 'since',
    name: 'Since',
    align: 'end',
    cell: ({ since }) => (since === null ? <Absent why="Not recorded" /> : <Time value={since} />),
  },
  { key: 'ongoing', name: 'State', align: 'end', cell: ({ ongoing }) => (ongoing ? 'Going on' : 'Over') },
];

export const IncidentTable = ({ rows }: { readonly rows: readonly CuratorIncident[] }): ReactNode => (
  <DataTable
    label="Incidents"
    rows={rows}
    columns={INCIDENT_COLUMNS}
    rowKey={(row) => `${row.kind} ${row.vault.address} ${row.reserveAddress} ${row.since}`}
    empty="None is known."
  />
);

const CHANGE_COLUMNS: readonly Column<AllocationChange>[] = [
  { key: 'at', name: 'Time', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { key: 'kind', name: 'Change', cell: changeWords },
  {
    key: 'vault',
    name: 'Vault',
    cell: ({ vault }) => <Link href={`/vaults/${vault.address}`}>{vaultName(vault)}</Link>,
  },
  { key: 'reserve', name: 'Reserve', cell: (change) => <Place place={change} /> },
  {
    key: 'moved',
    name: 'Into the reserve',
    hint: 'Tokens that moved from the vault into the reserve; negative for the way back',
    align: 'end',
    cell: ({ moved, vault }) => <Tokens value={moved} symbol={vault.token.symbol} absent="No tokens moved" />,
  },
  {
    key: 'from',
    name: 'Weight before',
    align: 'end',
    cell: ({ fromWeight }) => (
      <Plain value={fromWeight} absent="No weight was set, or none before is known" />
    ),
  },
  {
    key: 'to',
    name: 'Weight',
    align: 'end',
    cell: ({ toWeight }) => <Plain value={toWeight} absent="No weight was set" />,
  },
  { key: 'by', name: 'By', align: 'end', cell: ({ by }) => <Address address={by} what="signer" /> },
];

export const ChangeTable = ({ rows }: { readonly rows: readonly AllocationChange[] }): ReactNode => (
  <DataTable
    label="Changes of allocations"
    rows={rows}
    columns={CHANGE_COLUMNS}
    rowKey={(row) => `${row.signature} ${row.kind} ${row.reserveAddress} ${row.moved}`}
    empty="No change is known."
  />
);

const UNKNOWN_FEES = 'Fees were not recorded before, or a token had no price';

const FEE_COLUMNS: readonly Column<FeePoint>[] = [
  { key: 'day', name: 'Day', cell: ({ timestamp }) => <Time value={timestamp} /> },
  feeColumn('performanceUsd', 'Performance'),
  feeColumn('managementUsd', 'Management'),
  feeColumn('usd', 'Together'),
];

export const FeeTable = ({ points }: { readonly points: readonly FeePoint[] }): ReactNode => (
  <DataTable
    label="Fees by day"
    rows={[...points].reverse()}
    columns={FEE_COLUMNS}
    rowKey={({ timestamp }) => timestamp}
    empty="Nothing is recorded yet."
  />
);

function feeColumn(key: 'performanceUsd' | 'managementUsd' | 'usd', name: string): Column<FeePoint> {
  return { key, name, align: 'end', cell: (point) => <Usd value={point[key]} absent={UNKNOWN_FEES} /> };
}

function shareColumn<Row extends { readonly share: string }>(
  hint: string,
  nameOf: (row: Row) => string,
): Column<Row> {
  return {
    key: 'share',
    name: 'Part',
    hint,
    align: 'start',
    cell: (row) => <Meter label={`Part of ${nameOf(row)}`} value={row.share} />,
  };
}

function usdColumn<Row extends { readonly usd: string }>(): Column<Row> {
  return { key: 'usd', name: 'Value', align: 'end', cell: ({ usd }) => <Usd value={usd} /> };
}

function Place({
  place,
}: {
  readonly place: Pick<AllocationChange, 'reserve' | 'reserveAddress'>;
}): ReactNode {
  const { reserve, reserveAddress } = place;
  if (reserveAddress === null) return <Absent why="It concerns no reserve" />;
  return (
    <Link href={`/reserves/${reserveAddress}`} title={reserveAddress}>
      {reserve === null ? reserveAddress : `${reserve.token.symbol} · ${reserve.market?.name ?? ''}`}
    </Link>
  );
}
