import type { ReactNode } from 'react';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Part } from '../../ui/value.tsx';
import { BarLine, LimitBar } from './limit-bar.tsx';
import type { ReserveDetail } from './reserve-documents.ts';

/** Limits of the reserve as a whole, then those of debt by collateral. */
export function ReserveLimits({ reserve }: { readonly reserve: ReserveDetail }): ReactNode {
  const { limits, borrowCaps, token, supplied, borrowed, utilization } = reserve;
  const outside = borrowCaps.outsideElevationGroups;
  const block = limits.utilizationBorrowBlock;
  return (
    <>
      <ul className="limit-bars">
        <LimitBar
          name="Deposits"
          used={supplied}
          capacity={limits.deposit}
          room={limits.depositRemaining}
          symbol={token.symbol}
        />
        <LimitBar
          name="Borrows"
          used={borrowed}
          capacity={limits.borrow}
          room={limits.borrowRemaining}
          symbol={token.symbol}
        />
        <LimitBar
          name="Borrows outside elevation groups"
          used={outside.currentTotal}
          capacity={outside.capacity}
          symbol={token.symbol}
        />
        <BarLine
          name="Lent out"
          share={block === null ? null : utilization}
          of={block}
          words={
            block === null ? (
              'No limit: all of it can be lent out'
            ) : (
              <>
                <Part value={utilization} />, nothing is lent above <Part whole value={block} />
              </>
            )
          }
        />
      </ul>
      {borrowCaps.againstCollateral.length > 0 && (
        <DataTable
          label="Limits by collateral"
          rows={borrowCaps.againstCollateral}
          columns={capColumns(token.symbol)}
          rowKey={({ elevationGroup, collateralReserve }) => `${elevationGroup} ${collateralReserve.address}`}
          empty="There are no limits by collateral."
        />
      )}
    </>
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
