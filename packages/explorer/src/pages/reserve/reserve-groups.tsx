import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Absent, Part } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

interface Row {
  readonly group: ReserveDetail['elevationGroups'][number];
  readonly whyNoDebt: string;
}

export interface ReserveGroupsProps {
  readonly reserve: ReserveDetail;
  readonly errors: readonly SluiceError[];
}

/** Elevation groups that the reserve is in, as collateral or as the token to borrow. */
export function ReserveGroups({ reserve, errors }: ReserveGroupsProps): ReactNode {
  const rows = reserve.elevationGroups.map((group, index) => ({
    group,
    whyNoDebt: absence(
      errors,
      ['reserve', 'elevationGroups', index, 'debtReserve'],
      'No reserve to borrow from is set for the group',
    ),
  }));
  return (
    <DataTable
      label="Elevation groups"
      rows={rows}
      columns={groupColumns(reserve.address)}
      rowKey={({ group }) => group.id}
      empty="The reserve is in no elevation group."
    />
  );
}

const groupColumns = (address: string): readonly Column<Row>[] => [
  {
    key: 'number',
    name: 'Group',
    cell: ({ group }) => (
      <>
        {group.number} {!group.allowsNewLoans && <Badge tone="caution">No new loans</Badge>}
      </>
    ),
  },
  {
    key: 'role',
    name: 'This reserve is',
    cell: ({ group }) => (group.debtReserve?.address === address ? 'the token to borrow' : 'collateral'),
  },
  {
    key: 'debt',
    name: 'Borrow',
    cell: ({ group, whyNoDebt }) =>
      group.debtReserve === null ? <Absent why={whyNoDebt} /> : <ReserveLink reserve={group.debtReserve} />,
  },
  {
    key: 'ltv',
    name: 'Max LTV',
    sort: { decimal: ({ group }) => group.maxLtv },
    cell: ({ group }) => <Part whole value={group.maxLtv} />,
  },
  {
    key: 'threshold',
    name: 'Liquidation threshold',
    sort: { decimal: ({ group }) => group.liquidationLtv },
    cell: ({ group }) => <Part whole value={group.liquidationLtv} />,
  },
];
