import type { SluiceError } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { capOf } from '../../lending/cap.ts';
import { absence } from '../../ui/absence.ts';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Absent, Part, Percent, Tokens } from '../../ui/value.tsx';
import { type AllocationRow, allocationRows, targetWords } from './allocation.ts';
import { placeNames } from './place-names.ts';
import type { VaultDetail } from './vault-documents.ts';

const UNREADABLE = 'A reserve of this vault cannot be read';

interface AllocationTableProps {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}

/** Where the tokens of the vault are, against where its weights want them. */
export function AllocationTable({ vault, errors }: AllocationTableProps): ReactNode {
  const rows = useMemo(() => allocationRows(vault), [vault]);
  const names = useMemo(() => placeNames(vault.allocations), [vault.allocations]);
  const columns = useMemo(() => allocationColumns(vault, names, errors), [vault, names, errors]);
  return (
    <>
      <p className="sub">{targetWords(rows, names)}</p>
      <DataTable
        label="Allocation"
        rows={rows}
        columns={columns}
        rowKey={({ reserveAddress }) => reserveAddress ?? 'idle'}
        initialSort={{ key: 'actual', direction: 'descending' }}
        empty="The vault lends to no reserve."
      />
    </>
  );
}

function allocationColumns(
  { token, allocations, idle }: VaultDetail,
  names: ReadonlyMap<string, string>,
  errors: readonly SluiceError[],
): readonly Column<AllocationRow>[] {
  const nameOf = ({ reserveAddress }: AllocationRow) =>
    reserveAddress === null ? 'Not lent out' : (names.get(reserveAddress) ?? reserveAddress);
  const why = ({ index }: AllocationRow) => absence(errors, ['vault', 'allocations', index], UNREADABLE);
  const isIdle = ({ reserveAddress }: AllocationRow) => reserveAddress === null;
  const largest = largestOf([idle.usd, ...allocations.map(({ invested }) => invested?.usd)]);
  return [
    {
      key: 'reserve',
      name: 'Market',
      sort: { text: nameOf },
      cell: (row) => <PlaceCell row={row} name={nameOf(row)} symbol={token.symbol} />,
    },
    {
      key: 'amount',
      name: 'In it now',
      isKey: true,
      sort: { decimal: ({ amount }) => amount?.amount },
      cell: (row) =>
        row.amount === null ? (
          <Absent why={why(row)} />
        ) : (
          <b>
            <MoneyValue money={{ ...row.amount, token }} largest={largest} />
          </b>
        ),
    },
    {
      key: 'actual',
      name: 'Part',
      hint: 'Part of the vault that is there now',
      sort: { decimal: ({ actual }) => actual },
      cell: (row) => <Part value={row.actual} absent={why(row)} />,
    },
    {
      key: 'target',
      name: 'Target',
      hint: 'Part of the vault that the weights want there',
      sort: { decimal: ({ target }) => target },
      cell: (row) => <Part value={row.target} derived={isIdle(row)} />,
    },
    {
      key: 'apy',
      name: 'Earns',
      hint: 'Yield of the reserve with rewards, before the fees of the vault',
      sort: { decimal: ({ reserve }) => reserve?.supplyApy.total },
      cell: (row) => (
        <Percent
          value={row.reserve?.supplyApy.total}
          none={isIdle(row)}
          absent={isIdle(row) ? 'Idle tokens earn nothing' : why(row)}
        />
      ),
    },
    {
      key: 'utilization',
      name: 'Lent out',
      hint: 'Part of the reserve that is lent to borrowers',
      sort: { decimal: ({ reserve }) => reserve?.utilization },
      cell: (row) => (
        <Part
          value={row.reserve?.utilization}
          none={isIdle(row)}
          absent={isIdle(row) ? 'Idle tokens are not lent' : why(row)}
        />
      ),
    },
    {
      key: 'cap',
      name: 'Cap',
      hint: 'Most that the vault may have there',
      align: 'end',
      cell: ({ amount, cap }) => {
        const { kind } = capOf(amount?.baseUnits ?? '0', cap.baseUnits);
        if (kind === 'none') return <span className="muted">No cap</span>;
        if (kind === 'closed') return <span className="muted">Closed</span>;
        return <Tokens value={cap.amount} symbol={token.symbol} derived />;
      },
    },
  ];
}

function PlaceCell({
  row: { reserveAddress },
  name,
  symbol,
}: {
  readonly row: AllocationRow;
  readonly name: string;
  readonly symbol: string;
}): ReactNode {
  const isIdle = reserveAddress === null;
  return (
    <span className="name">
      {isIdle ? <span className="mark blank" aria-hidden="true" /> : <PlaceMark name={name} size={32} />}
      <span>
        {isIdle ? (
          <b>{name}</b>
        ) : (
          <Link href={`/reserves/${reserveAddress}`} title={reserveAddress}>
            {name}
          </Link>
        )}
        <span className="line2">{isIdle ? 'Waits for the next move' : `${symbol} reserve`}</span>
      </span>
    </span>
  );
}
