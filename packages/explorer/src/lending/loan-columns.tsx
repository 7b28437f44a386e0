import type { ReactNode } from 'react';
import { shortAddress } from '../format/address.ts';
import { absence } from '../ui/absence.ts';
import { Address } from '../ui/address.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Health } from '../ui/health.tsx';
import { Meter } from '../ui/meter.tsx';
import type { Tone } from '../ui/notice.tsx';
import { Part, Usd } from '../ui/value.tsx';
import type { ListedRow } from './listed.ts';
import type { Loan } from './loans-documents.ts';
import { LOAN_TAGS } from './words.ts';

type Row = ListedRow<Loan>;

const whyUnknown = ({ errors, path }: Row): string =>
  absence(errors, path, 'A reserve or price of this loan is unknown');

/** In the order of the list: it is sorted by the gateway, over all pages. */
export const LOAN_COLUMNS: readonly Column<Row>[] = [
  {
    key: 'owner',
    name: 'Owner',
    cell: ({ node }) => (
      <Address address={node.owner.address} href={`/wallet/${node.owner.address}`} what="owner" />
    ),
  },
  {
    key: 'health',
    name: 'Health',
    hint: 'Liquidation limit / debt. Below 1 the loan can be liquidated',
    cell: (row) => (
      <Health
        factor={row.node.healthFactor}
        absent={row.node.borrows.length === 0 ? 'The loan has no debt' : whyUnknown(row)}
      />
    ),
  },
  {
    key: 'ltv',
    name: 'LTV',
    hint: 'Debt / collateral, both as they count for borrowing. The bar marks the liquidation threshold',
    cell: (row) => <LoanToValue loan={row.node} whyUnknown={whyUnknown(row)} />,
  },
  {
    key: 'collateral',
    name: 'Collateral',
    align: 'end',
    cell: (row) => (
      <Side
        usd={row.node.stats?.userTotalDepositUsd}
        parts={row.node.deposits}
        whyUnknown={whyUnknown(row)}
      />
    ),
  },
  {
    key: 'debt',
    name: 'Debt',
    align: 'end',
    cell: (row) => (
      <Side usd={row.node.stats?.userTotalBorrowUsd} parts={row.node.borrows} whyUnknown={whyUnknown(row)} />
    ),
  },
  {
    key: 'buffer',
    name: 'Buffer',
    hint: 'How far all collateral can fall in value before liquidation',
    align: 'end',
    cell: (row) => (
      <Part
        value={row.node.bufferToLiquidation}
        absent={row.node.borrows.length === 0 ? 'The loan has no debt' : whyUnknown(row)}
      />
    ),
  },
  {
    key: 'kind',
    name: 'Kind',
    cell: ({ node }) => (
      <span className="two-lines">
        <span>{node.tag === null ? `Number ${node.tagNumber}` : LOAN_TAGS[node.tag]}</span>
        {node.elevationGroup !== null && <small>Group {node.elevationGroup.number}</small>}
      </span>
    ),
  },
  { key: 'loan', name: 'Loan', cell: ({ node }) => <Address address={node.address} what="loan" /> },
];

function LoanToValue({
  loan,
  whyUnknown: why,
}: {
  readonly loan: Loan;
  readonly whyUnknown: string;
}): ReactNode {
  const { stats, maxLtv } = loan;
  return (
    <span className="two-lines">
      <Meter
        label="Loan-to-value"
        value={stats?.loanToValue}
        mark={stats?.liquidationLtv ?? null}
        tone={ltvTone(loan)}
        absent={why}
      />
      <small>
        max <Part whole value={maxLtv} absent={why} />, liquidation{' '}
        <Part whole value={stats?.liquidationLtv} absent={why} />
      </small>
    </span>
  );
}

function Side({
  usd,
  parts,
  whyUnknown: why,
}: {
  readonly usd: string | undefined;
  readonly parts: Loan['deposits'] | Loan['borrows'];
  readonly whyUnknown: string;
}): ReactNode {
  const tokens = parts.map(
    ({ reserve, reserveAddress }) => reserve?.token.symbol ?? shortAddress(reserveAddress),
  );
  return (
    <span className="two-lines">
      <Usd value={usd} absent={why} />
      <small>{tokens.join(', ')}</small>
    </span>
  );
}

/** For colour only. Above its maximum a loan cannot borrow more; above the threshold it can be liquidated. */
function ltvTone({ stats, maxLtv, liquidatable }: Loan): Tone {
  if (liquidatable === true) return 'danger';
  return stats !== null && maxLtv !== null && Number(stats.loanToValue) > Number(maxLtv) ? 'caution' : 'info';
}
