import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Absent, Part } from '../../ui/value.tsx';
import { type GroupLimit, groupLimits } from './group-limits.ts';
import type { Group } from './market-documents.ts';

export interface ElevationGroupsProps {
  readonly groups: readonly Group[];
  readonly errors: readonly SluiceError[];
}

/** Deposits and debts of each group, and their terms. */
export function ElevationGroups({ groups, errors }: ElevationGroupsProps): ReactNode {
  return (
    <div className="groups">
      {groups.map((group, index) => (
        <GroupTerms
          key={group.id}
          group={group}
          whyNoDebt={absence(
            errors,
            ['market', 'elevationGroups', index, 'debtReserve'],
            'No reserve to borrow from is set for the group',
          )}
        />
      ))}
    </div>
  );
}

function GroupTerms({ group, whyNoDebt }: { readonly group: Group; readonly whyNoDebt: string }): ReactNode {
  const { debtReserve } = group;
  return (
    <section className="group" aria-label={`Elevation group ${group.number}`}>
      <h3>
        Group {group.number}: borrow{' '}
        {debtReserve === null ? <Absent why={whyNoDebt} /> : <ReserveLink reserve={debtReserve} />}{' '}
        {!group.allowsNewLoans && <Badge tone="caution">No new loans</Badge>}
      </h3>
      <p>
        Maximum LTV <Part whole value={group.maxLtv} />, liquidation from{' '}
        <Part whole value={group.liquidationLtv} />
      </p>
      <DataTable
        label={`Collateral in elevation group ${group.number}`}
        rows={groupLimits(group)}
        columns={limitColumns(debtReserve?.token.symbol ?? '', whyNoDebt)}
        rowKey={({ collateral }) => collateral.address}
        empty="No reserve counts as collateral in this group."
      />
    </section>
  );
}

/** @param symbol ticker of the debt: its limits are in that token. */
const limitColumns = (symbol: string, whyNoDebt: string): readonly Column<GroupLimit>[] => [
  { key: 'token', name: 'Collateral', cell: ({ collateral }) => <ReserveLink reserve={collateral} /> },
  {
    key: 'debt',
    name: 'Borrowed against it',
    hint: 'Debt that the lending program counts towards the limit; it counts interest when a loan is refreshed',
    align: 'end',
    cell: ({ cap }) =>
      cap === null ? <Absent why={whyNoDebt} /> : <TokenAmount amount={cap.currentTotal} symbol={symbol} />,
  },
  {
    key: 'limit',
    name: 'Limit',
    align: 'end',
    cell: ({ collateral, cap }) =>
      cap === null ? (
        <Absent why={whyNoDebt} />
      ) : (
        <CapMeter
          label={`Debt against ${collateral.token.symbol}`}
          used={cap.currentTotal}
          capacity={cap.capacity}
          symbol={symbol}
        />
      ),
  },
];
