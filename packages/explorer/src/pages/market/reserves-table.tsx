import { type ReactNode, useMemo, useState } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import type { ReserveRow } from './market-documents.ts';
import { reserveColumns } from './reserve-columns.tsx';
import { listedReserves, sharedTickers } from './reserve-list.ts';

export function ReservesTable({ reserves }: { readonly reserves: readonly ReserveRow[] }): ReactNode {
  const [unlisted, setUnlisted] = useState(false);
  const listed = useMemo(() => listedReserves(reserves), [reserves]);
  const columns = useMemo(() => reserveColumns(sharedTickers(reserves)), [reserves]);
  const others = reserves.length - listed.length;
  return (
    <div className="dense">
      {others > 0 && (
        <label className="choice">
          <input type="checkbox" checked={unlisted} onChange={({ target }) => setUnlisted(target.checked)} />{' '}
          Show {others} hidden or closed
        </label>
      )}
      <DataTable
        label="Reserves"
        rows={unlisted ? reserves : listed}
        columns={columns}
        rowKey={({ address }) => address}
        href={({ address }) => `/reserves/${address}`}
        filterText={({ token, address }) => `${token.symbol} ${token.name} ${address}`}
        initialSort={{ key: 'supplied', direction: 'descending' }}
        empty="The market has no reserve that is open for new positions."
      />
    </div>
  );
}
