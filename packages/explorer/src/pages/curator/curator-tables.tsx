import type { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CanLeave, leavingNow, VaultName, vaultName, YieldMix } from '../../lending/vault-cells.tsx';
import { Address } from '../../ui/address.tsx';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Day, Time } from '../../ui/time.tsx';
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

const vaultColumns = (largest: Decimal | undefined): readonly Column<CuratedVault>[] => [
  {
    key: 'name',
    name: 'Vault',
    sort: { text: vaultName },
    cell: (vault) => <VaultName vault={vault} />,
  },
  {
    key: 'apy',
    name: 'APY',
    hint: 'Current yield of shareholders per year, after fees and with all rewards',
    isKey: true,
    sort: { decimal: ({ currentApy }) => currentApy?.total },
    cell: ({ currentApy }) => (
      <span className="big">
        <Percent value={currentApy?.total} absent={UNREADABLE} />
      </span>
    ),
  },
  {
    key: 'interest',
    name: 'Where it comes from',
    hint: 'Interest, which borrowers pay, and rewards of farms and campaigns, which end. Sorted by interest.',
    align: 'start',
    sort: { decimal: ({ currentApy }) => currentApy?.base },
    cell: ({ currentApy }) => <YieldMix apy={currentApy} why={UNREADABLE} />,
  },
  {
    key: 'value',
    name: 'Value',
    sort: { decimal: ({ totalValue }) => totalValue?.usd },
    cell: ({ totalValue, token }) => (
      <MoneyValue money={totalValue && { ...totalValue, token }} largest={largest} absent={UNREADABLE} />
    ),
  },
  {
    key: 'leave',
    name: 'Can leave now',
    hint: 'Part of the vault that could be withdrawn at once',
    sort: { decimal: leavingNow },
    cell: (vault) => <CanLeave vault={vault} why={UNREADABLE} />,
  },
];

export const VaultTable = ({ vaults }: { readonly vaults: readonly CuratedVault[] }): ReactNode => (
  <DataTable
    label="Vaults of the curator"
    rows={vaults}
    columns={vaultColumns(largestOf(vaults.map(({ totalValue }) => totalValue?.usd)))}
    rowKey={({ address }) => address}
    initialSort={{ key: 'value', direction: 'descending' }}
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
    isKey: true,
    name: 'Size',
    hint: 'Share of the vault in the bad debt, or the part of its value that a share lost',
    align: 'end',
    cell: ({ vaultBadDebtUsd, fall }) =>
      fall === null ? (
        <Usd value={vaultBadDebtUsd} none absent="It has no amount" />
      ) : (
        <Percent value={fall} />
      ),
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
    isKey: true,
    name: 'Into the reserve',
    hint: 'Tokens that moved from the vault into the reserve; negative for the way back',
    align: 'end',
    cell: ({ moved, vault }) => (
      <Tokens value={moved} symbol={vault.token.symbol} none absent="No tokens moved" />
    ),
  },
  {
    key: 'from',
    name: 'Weight before',
    align: 'end',
    cell: ({ fromWeight }) => (
      <Plain value={fromWeight} none absent="No weight was set, or none before is known" />
    ),
  },
  {
    key: 'to',
    name: 'Weight',
    align: 'end',
    cell: ({ toWeight }) => <Plain value={toWeight} none absent="No weight was set" />,
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
  { key: 'day', name: 'Day', cell: ({ timestamp }) => <Day value={timestamp} /> },
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
  return {
    key,
    name,
    align: 'end',
    isKey: key === 'usd',
    cell: (point) => <Usd value={point[key]} absent={UNKNOWN_FEES} />,
  };
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
  return { key: 'usd', name: 'Value', align: 'end', isKey: true, cell: ({ usd }) => <Usd value={usd} /> };
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
