import { Decimal, type SluiceError } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { part } from '../../format/numbers.ts';
import { capOf } from '../../lending/cap.ts';
import { absence } from '../../ui/absence.ts';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Absent, Part, Percent, Tokens } from '../../ui/value.tsx';
import { type AllocationRow, allocationRows, deviation } from './allocation.ts';
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

/** `6 markets, all within 1% of their targets.` */
export function targetWords(
  rows: readonly Pick<AllocationRow, 'reserveAddress' | 'actual' | 'target'>[],
  names: ReadonlyMap<string, string>,
): string {
  const places = rows.filter(({ reserveAddress }) => reserveAddress !== null);
  const count = places.length === 1 ? 'One market' : `${places.length} markets`;
  const far = places
    .flatMap(({ reserveAddress, actual, target }) => {
      const off = deviation({ actual, target });
      return off === null ? [] : [{ name: names.get(reserveAddress ?? '') ?? '', off: Decimal.of(off) }];
    })
    .sort((a, b) => b.off.abs().compare(a.off.abs()));
  const [farthest] = far;
  if (farthest === undefined) return `${count}.`;
  if (farthest.off.abs().compare(Decimal.of('0.01')) <= 0) return `${count}, all within 1% of target.`;
  const { name, off } = farthest;
  return `${count}. ${name} is the farthest from its target: ${part(off.abs()).text} ${off.isNegative ? 'below' : 'above'} it.`;
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
      {isIdle ? <span className="mark empty" aria-hidden="true" /> : <PlaceMark name={name} size={32} />}
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
