import type { SluiceError } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { NO_PRICE } from '../../lending/words.ts';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Absent, Tokens, Usd } from '../../ui/value.tsx';
import { type BorrowRoute, type Capacity, RESERVE_CAPACITY } from './capacity-documents.ts';
import { type CapacityAction, LIMIT_WORDS, type LimitRow, limitRows } from './capacity-limits.ts';

/** Amounts that can still be supplied, borrowed and withdrawn, and their limits. */
export function ReserveCapacityPanel({ address }: { readonly address: string }): ReactNode {
  const variables = { address };
  const result = useSluiceQuery(RESERVE_CAPACITY, variables, { refetchMs: 30_000 });
  const errors = result.data?.errors ?? [];
  return (
    <Panel title="Room left" document={RESERVE_CAPACITY} variables={variables} result={result}>
      {({ reserve }) => {
        if (reserve === null) return <Empty>There is nothing to show.</Empty>;
        const { capacity, token } = reserve;
        return (
          <>
            <Figures>
              <CapacityFigure name="Can be supplied" capacity={capacity.supply} symbol={token.symbol} />
              <CapacityFigure name="Can be borrowed" capacity={capacity.borrow} symbol={token.symbol} />
              <CapacityFigure name="Can be withdrawn" capacity={capacity.withdraw} symbol={token.symbol} />
            </Figures>
            <details className="more-facts">
              <summary>What each limit leaves</summary>
              <DataTable
                label="What each limit leaves"
                rows={limitRows(capacity)}
                columns={limitColumns(token.symbol)}
                rowKey={({ limit }) => limit}
                empty="The reserve has no limits."
              />
            </details>
            <details className="more-facts">
              <summary>Ways to borrow</summary>
              <DataTable
                label="Ways to borrow"
                rows={routeRows(capacity.borrowRoutes, errors)}
                columns={routeColumns(token.symbol)}
                rowKey={({ route }) => `${route.elevationGroup} ${route.collateralAddress}`}
                empty="The reserve lends to nobody."
              />
            </details>
          </>
        );
      }}
    </Panel>
  );
}

interface CapacityFigureProps {
  readonly name: string;
  readonly capacity: Capacity;
  readonly symbol: string;
}

function CapacityFigure({
  name,
  capacity: { amount, bindingLimit },
  symbol,
}: CapacityFigureProps): ReactNode {
  const detail = (
    <>
      <Tokens value={amount.amount} symbol={symbol} />, limited by {LIMIT_WORDS[bindingLimit]}
    </>
  );
  return (
    <Figure name={name} hint="By all wallets together, the least of the limits below" detail={detail}>
      <Usd value={amount.usd} absent={NO_PRICE} />
    </Figure>
  );
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

const limitColumns = (symbol: string): readonly Column<LimitRow>[] => [
  { key: 'limit', name: 'Left by', cell: ({ limit }) => sentence(LIMIT_WORDS[limit]) },
  limitColumn('supply', 'To supply', symbol),
  limitColumn('borrow', 'To borrow', symbol),
  limitColumn('withdraw', 'To withdraw', symbol),
];

const limitColumn = (action: CapacityAction, name: string, symbol: string): Column<LimitRow> => ({
  key: action,
  name,
  align: 'end',
  cell: ({ cells: { [action]: cell } }) =>
    cell === null ? (
      <Absent why="This limit does not apply" none />
    ) : (
      <>
        {cell.binds && <Badge>Binds</Badge>} <Tokens value={cell.amount.amount} symbol={symbol} />
      </>
    ),
});

interface RouteRow {
  readonly route: BorrowRoute;
  readonly whyNoCollateral: string;
}

const routeRows = (routes: readonly BorrowRoute[], errors: readonly SluiceError[]): readonly RouteRow[] =>
  routes.map((route, index) => ({
    route,
    whyNoCollateral: absence(
      errors,
      ['reserve', 'capacity', 'borrowRoutes', index, 'collateral'],
      'The reserve of the collateral cannot be read',
    ),
  }));

const routeColumns = (symbol: string): readonly Column<RouteRow>[] => [
  {
    key: 'route',
    name: 'Borrow against',
    cell: ({ route: { elevationGroup, collateral, collateralAddress }, whyNoCollateral }) =>
      collateralAddress === null ? (
        'Any collateral, outside elevation groups'
      ) : (
        <span className="two-lines">
          {collateral === null ? <Absent why={whyNoCollateral} /> : <ReserveLink reserve={collateral} />}
          <small>Elevation group {elevationGroup}</small>
        </span>
      ),
  },
  {
    key: 'amount',
    name: 'Can be borrowed',
    align: 'end',
    cell: ({ route: { amount } }) => <TokenAmount amount={amount} symbol={symbol} />,
  },
  {
    key: 'cap',
    name: 'Left by its own cap',
    align: 'end',
    cell: ({ route: { cap } }) =>
      cap === null ? <span className="muted">No cap</span> : <Tokens value={cap.amount} symbol={symbol} />,
  },
  {
    key: 'limit',
    name: 'Limited by',
    cell: ({ route: { bindingLimit } }) =>
      bindingLimit === 'DEBT_CAPS' ? 'its own cap' : LIMIT_WORDS[bindingLimit],
  },
];
