import type { ReactNode } from 'react';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Part, Tokens } from '../../ui/value.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

/** Limits of the reserve as a whole, then those of debt by collateral. */
export function ReserveLimits({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { limits, borrowCaps, token, supplied, borrowed } = reserve;
  const outside = borrowCaps.outsideElevationGroups;
  return (
    <div className="dense">
      <dl className="facts">
        <dt>Deposits</dt>
        <dd>
          <CapMeter label="Deposits" used={supplied} capacity={limits.deposit} symbol={token.symbol} />
          <small>
            room for <Tokens value={limits.depositRemaining.amount} symbol={token.symbol} />
          </small>
        </dd>
        <dt>Borrows</dt>
        <dd>
          <CapMeter label="Borrows" used={borrowed} capacity={limits.borrow} symbol={token.symbol} />
          <small>
            room for <Tokens value={limits.borrowRemaining.amount} symbol={token.symbol} />
          </small>
        </dd>
        <dt title="Debt of loans that are in no elevation group">Borrows outside groups</dt>
        <dd>
          <CapMeter
            label="Borrows outside elevation groups"
            used={outside.currentTotal}
            capacity={outside.capacity}
            symbol={token.symbol}
          />
        </dd>
        <dt title="Utilization above which nothing can be borrowed">Utilization limit</dt>
        <dd>
          {limits.utilizationBorrowBlock === null ? (
            <span className="muted">No limit</span>
          ) : (
            <Part whole value={limits.utilizationBorrowBlock} />
          )}
        </dd>
      </dl>
      {borrowCaps.againstCollateral.length > 0 && (
        <DataTable
          label="Limits by collateral"
          rows={borrowCaps.againstCollateral}
          columns={capColumns(token.symbol)}
          rowKey={({ elevationGroup, collateralReserve }) => `${elevationGroup} ${collateralReserve.address}`}
          empty="There are no limits by collateral."
        />
      )}
    </div>
  );
}

type CollateralCap = ReserveDetail['borrowCaps']['againstCollateral'][number];

const capColumns = (symbol: string): readonly Column<CollateralCap>[] => [
  {
    key: 'collateral',
    name: 'Against',
    cell: ({ collateralReserve, elevationGroup }) => (
      <span className="two-lines">
        <ReserveLink reserve={collateralReserve} />
        <small>Group {elevationGroup}</small>
      </span>
    ),
  },
  {
    key: 'debt',
    name: 'Borrowed',
    align: 'end',
    cell: ({ currentTotal }) => <TokenAmount amount={currentTotal} symbol={symbol} />,
  },
  {
    key: 'limit',
    name: 'Limit',
    align: 'end',
    cell: ({ currentTotal, capacity, collateralReserve }) => (
      <CapMeter
        label={`Debt against ${collateralReserve.token.symbol}`}
        used={currentTotal}
        capacity={capacity}
        symbol={symbol}
      />
    ),
  },
];
