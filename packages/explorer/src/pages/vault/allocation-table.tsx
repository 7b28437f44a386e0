import type { SluiceError } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Absent, Part, Percent } from '../../ui/value.tsx';
import { type AllocationRow, actualSum, allocationNames, allocationRows, deviation } from './allocation.ts';
import type { VaultDetail } from './vault-documents.ts';

const UNREADABLE = 'A reserve of this vault cannot be read';

interface AllocationTableProps {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}

/** Where the tokens of the vault are, against where its weights want them. */
export function AllocationTable({ vault, errors }: AllocationTableProps): ReactNode {
  const rows = useMemo(() => allocationRows(vault), [vault]);
  const columns = useMemo(
    () => allocationColumns(vault.token.symbol, allocationNames(rows), errors),
    [vault.token.symbol, rows, errors],
  );
  return (
    <>
      <DataTable
        label="Allocation"
        rows={rows}
        columns={columns}
        rowKey={({ reserveAddress }) => reserveAddress ?? 'idle'}
        initialSort={{ key: 'actual', direction: 'descending' }}
        empty="The vault lends to no reserve."
      />
      <p className="muted">
        All parts: <Percent value={actualSum(rows)} absent={UNREADABLE} derived /> of the vault. The line
        across a bar is its target.
      </p>
    </>
  );
}

function allocationColumns(
  symbol: string,
  names: readonly string[],
  errors: readonly SluiceError[],
): readonly Column<AllocationRow>[] {
  const nameOf = ({ index }: AllocationRow) => names[index] ?? '';
  const why = ({ index }: AllocationRow) => absence(errors, ['vault', 'allocations', index], UNREADABLE);
  return [
    { key: 'reserve', name: 'Reserve', sort: { text: nameOf }, cell: (row) => reserveCell(row, nameOf(row)) },
    {
      key: 'actual',
      name: 'Actual',
      hint: 'Part of the vault that is there now. The line across the bar is the target.',
      sort: { decimal: ({ actual }) => actual },
      align: 'start',
      cell: (row) => (
        <Meter
          label={`Part of the vault in ${nameOf(row)}`}
          value={row.actual}
          mark={row.target}
          absent={why(row)}
        />
      ),
    },
    {
      key: 'target',
      name: 'Target',
      hint: 'Part of the vault that the weights want there',
      sort: { decimal: ({ target }) => target },
      cell: ({ target, reserveAddress }) => <Percent value={target} derived={reserveAddress === null} />,
    },
    {
      key: 'deviation',
      name: 'Difference',
      hint: 'Actual less target, in percentage points',
      sort: { decimal: deviation },
      cell: (row) => <Part value={deviation(row)} signed derived absent={why(row)} />,
    },
    {
      key: 'amount',
      name: 'Amount',
      sort: { decimal: ({ amount }) => amount?.amount },
      cell: (row) =>
        row.amount === null ? <Absent why={why(row)} /> : <TokenAmount amount={row.amount} symbol={symbol} />,
    },
    {
      key: 'cap',
      name: 'Cap',
      hint: 'Most that the vault may have there',
      align: 'start',
      cell: (row) =>
        row.amount === null ? (
          <Absent why={why(row)} />
        ) : (
          <CapMeter label={`Amount in ${nameOf(row)}`} used={row.amount} capacity={row.cap} symbol={symbol} />
        ),
    },
    {
      key: 'apy',
      name: 'Supply APY',
      hint: 'Yield of the reserve with rewards, before the fees of the vault',
      sort: { decimal: ({ reserve }) => reserve?.supplyApy.total },
      cell: (row) => (
        <Percent
          value={row.reserve?.supplyApy.total}
          absent={row.reserveAddress === null ? 'Idle tokens earn nothing' : why(row)}
        />
      ),
    },
    {
      key: 'utilization',
      name: 'Utilization',
      hint: 'Part of the reserve that is lent to borrowers',
      sort: { decimal: ({ reserve }) => reserve?.utilization },
      cell: (row) => (
        <Percent
          value={row.reserve?.utilization}
          absent={row.reserveAddress === null ? 'Idle tokens are not lent' : why(row)}
        />
      ),
    },
  ];
}

const reserveCell = ({ reserveAddress }: AllocationRow, name: string): ReactNode =>
  reserveAddress === null ? (
    name
  ) : (
    <Link href={`/reserves/${reserveAddress}`} title={reserveAddress}>
      {name}
    </Link>
  );
