import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../format/address.ts';
import { health } from '../format/numbers.ts';
import { distanceOf, riskOfDistance } from '../format/risk.ts';
import { absence } from '../ui/absence.ts';
import { largestOf } from '../ui/currency.tsx';
import type { Column } from '../ui/data-table.tsx';
import { distanceText, RiskBadge } from '../ui/health.tsx';
import { TokenMark } from '../ui/mark.tsx';
import { Absent, Part, ShownValue, Usd } from '../ui/value.tsx';
import type { ListedRow } from './listed.ts';
import { loanNameByReserves, symbolOf } from './loan-name.ts';
import type { Loan } from './loans-documents.ts';
import { LOAN_TAGS } from './words.ts';

type Row = ListedRow<Loan>;

const whyUnknown = ({ node, errors, path }: Row): string =>
  node.borrows.length === 0
    ? 'The loan has no debt'
    : absence(errors, path, 'A reserve or price of this loan is unknown');

/** In the order of the list: it is sorted by the gateway, over all pages. */
export const loanColumns = (rows: readonly Row[]): readonly Column<Row>[] => {
  const owed = largestOf(rows.map(({ node }) => node.stats?.userTotalBorrowUsd));
  const held = largestOf(rows.map(({ node }) => node.stats?.userTotalDepositUsd));
  return [
    { key: 'loan', name: 'Loan', cell: ({ node }) => <LoanName loan={node} /> },
    {
      key: 'distance',
      name: 'Distance to liquidation',
      hint: 'How far all collateral can fall in value, against the debt, before the loan can be liquidated',
      cell: (row) => <Distance row={row} />,
    },
    {
      key: 'health',
      name: 'Health',
      hint: 'Liquidation limit / debt. Below 1 the loan can be liquidated',
      align: 'end',
      cell: (row) => (
        <ShownValue
          value={row.node.healthFactor}
          show={health}
          absent={whyUnknown(row)}
          none={row.node.borrows.length === 0}
        />
      ),
    },
    {
      key: 'ltv',
      name: 'LTV',
      hint: 'Debt / collateral, both as they count for borrowing, and where liquidation begins',
      align: 'end',
      cell: (row) => (
        <span title={`New borrowing stops at ${row.node.maxLtv ?? 'an unknown part'}`}>
          <Part value={row.node.stats?.loanToValue} absent={whyUnknown(row)} />{' '}
          {row.node.stats !== null && (
            <span className="muted">
              of <Part value={row.node.stats.liquidationLtv} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'collateral',
      name: 'Collateral',
      align: 'end',
      cell: (row) => (
        <Usd value={row.node.stats?.userTotalDepositUsd} largest={held} absent={whyUnknown(row)} />
      ),
    },
    {
      key: 'debt',
      name: 'Owes',
      align: 'end',
      isKey: true,
      cell: (row) => (
        <span className="strong">
          <Usd value={row.node.stats?.userTotalBorrowUsd} largest={owed} absent={whyUnknown(row)} />
        </span>
      ),
    },
  ];
};

/** Its tokens; below them its address, and what kind of loan it is where it is not a general one. */
function LoanName({ loan }: { readonly loan: Loan }): ReactNode {
  const { deposits, borrows, address, owner, tag, tagNumber, elevationGroup } = loan;
  const [first] = deposits;
  const kind = tag === null ? `number ${tagNumber}` : tag === 'VANILLA' ? null : LOAN_TAGS[tag];
  return (
    <span className="name">
      <TokenMark name={first === undefined ? '?' : symbolOf(first)} />
      <span>
        {loanNameByReserves(deposits, borrows)}
        <span className="line2">
          <span className="mono" title={`Loan ${address} of ${owner.address}`}>
            {shortAddress(address)}
          </span>
          {kind !== null && ` · ${kind}`}
          {elevationGroup !== null && ` · group ${elevationGroup.number}`}
        </span>
      </span>
    </span>
  );
}

/** The place of the loan on the one scale of risk. */
function Distance({ row }: { readonly row: Row }): ReactNode {
  const { healthFactor, liquidatable, borrows } = row.node;
  if (liquidatable === true) return <RiskBadge risk="danger">Can be liquidated now</RiskBadge>;
  if (healthFactor === null) return <Absent why={whyUnknown(row)} none={borrows.length === 0} />;
  const distance = distanceOf(Decimal.of(healthFactor));
  return <RiskBadge risk={riskOfDistance(distance)}>{distanceText(distance)}</RiskBadge>;
}
