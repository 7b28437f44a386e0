import type { CSSProperties, ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { Address } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import type {
  CollateralPart,
  EndRange,
  HealthRange,
  LargeBorrower,
  MarketRisk,
  Scenario,
} from './risk-documents.ts';
import { endWords, greatest, heatOf, partOf, rangeWords } from './risk-shocks.ts';

/** The loans now and after each fall. */
export function ShockTable({ risk: { now, shocks } }: { readonly risk: MarketRisk }): ReactNode {
  const rows: readonly Scenario[] = [now, ...shocks];
  return (
    <DataTable
      label="Loans after a fall of prices"
      rows={rows}
      columns={scenarioColumns(
        greatest(rows.map(({ liquidatable }) => liquidatable.debtUsd)),
        greatest(rows.map(({ badDebtUsd }) => badDebtUsd)),
      )}
      rowKey={({ label }) => label ?? 'now'}
      empty="There are no loans."
    />
  );
}

/** @param mostDebt the largest of the column, and `mostBad` that of the bad debts. */
const scenarioColumns = (mostDebt: string, mostBad: string): readonly Column<Scenario>[] => [
  { key: 'label', name: 'Prices', cell: ({ label }) => label ?? 'Now' },
  {
    key: 'debt',
    name: 'Liquidatable debt',
    hint: 'Debt of loans that the lending program lets a liquidator act on',
    align: 'end',
    cell: ({ liquidatable }) => <Heated usd={liquidatable.debtUsd} most={mostDebt} />,
  },
  {
    key: 'collateral',
    name: 'Collateral behind it',
    align: 'end',
    cell: ({ liquidatable }) => <Usd value={liquidatable.collateralUsd} />,
  },
  {
    key: 'loans',
    name: 'Loans',
    hint: 'Number of loans that can be liquidated',
    align: 'end',
    cell: ({ liquidatable }) => <Count value={String(liquidatable.loans)} />,
  },
  {
    key: 'bad',
    name: 'Bad debt',
    hint: 'Debt that exceeds the collateral of its loan',
    align: 'end',
    cell: ({ badDebtUsd }) => <Heated usd={badDebtUsd} most={mostBad} />,
  },
  {
    key: 'bad-loans',
    name: 'Loans with bad debt',
    align: 'end',
    cell: ({ badDebtLoans }) => <Count value={String(badDebtLoans)} />,
  },
];

/** A value on a ground that is redder the nearer it is to the largest of its column. */
function Heated({ usd, most }: { readonly usd: string; readonly most: string }): ReactNode {
  const style: CSSProperties & Record<'--heat', string> = { '--heat': `${heatOf(usd, most) * 40}%` };
  return (
    <span className="heat" style={style}>
      <Usd value={usd} />
    </span>
  );
}

export function HealthTable({ risk: { now } }: { readonly risk: MarketRisk }): ReactNode {
  const columns: readonly Column<HealthRange>[] = [
    { key: 'range', name: 'Health factor', cell: rangeWords },
    { key: 'loans', name: 'Loans', align: 'end', cell: ({ loans }) => <Count value={String(loans)} /> },
    {
      key: 'part',
      name: 'Part of the loans',
      cell: ({ loans }) => <Meter label="Part of the loans" value={partOf(loans, now.loans)} derived />,
    },
    { key: 'debt', name: 'Debt', align: 'end', cell: ({ debtUsd }) => <Usd value={debtUsd} /> },
  ];
  return (
    <DataTable
      label="Loans by health factor"
      rows={now.health}
      columns={columns}
      rowKey={rangeWords}
      empty="There are no loans."
    />
  );
}

/** Debts by the time until they end. */
export function EndTable({ risk }: { readonly risk: MarketRisk }): ReactNode {
  const columns: readonly Column<EndRange>[] = [
    { key: 'range', name: 'End of the debt', cell: endWords },
    { key: 'debts', name: 'Debts', align: 'end', cell: ({ debts }) => <Count value={String(debts)} /> },
    { key: 'debt', name: 'Value', align: 'end', cell: ({ debtUsd }) => <Usd value={debtUsd} /> },
  ];
  const { loans, debtUsd } = risk.now.endedLiquidatable;
  return (
    <>
      <DataTable
        label="Debts by their end"
        rows={risk.debtEnds}
        columns={columns}
        rowKey={endWords}
        empty="No debt ends."
      />
      {loans > 0 && (
        <p>
          Loans that anyone may liquidate for an end, though they are healthy: {loans}, with debts of{' '}
          <Usd value={debtUsd} />.
        </p>
      )}
    </>
  );
}

export function BorrowerTable({ risk }: { readonly risk: MarketRisk }): ReactNode {
  const columns: readonly Column<LargeBorrower>[] = [
    {
      key: 'owner',
      name: 'Borrower',
      cell: ({ owner }) => <Address address={owner} href={`/wallet/${owner}`} what="borrower" />,
    },
    { key: 'debt', name: 'Debt', align: 'end', cell: ({ debtUsd }) => <Usd value={debtUsd} /> },
    {
      key: 'share',
      name: 'Part of all debt',
      cell: ({ share }) => <Meter label="Part of all debt" value={share} />,
    },
    { key: 'loans', name: 'Loans', align: 'end', cell: ({ loans }) => <Count value={String(loans)} /> },
  ];
  return (
    <DataTable
      label="Largest borrowers"
      rows={risk.largestBorrowers}
      columns={columns}
      rowKey={({ owner }) => owner}
      empty="Nobody has borrowed here."
    />
  );
}

export function CollateralTable({ risk }: { readonly risk: MarketRisk }): ReactNode {
  const columns: readonly Column<CollateralPart>[] = [
    {
      key: 'token',
      name: 'Collateral',
      cell: ({ reserve, reserveAddress }) =>
        reserve === null ? shortAddress(reserveAddress) : <ReserveLink reserve={reserve} />,
    },
    { key: 'value', name: 'Value', align: 'end', cell: ({ valueUsd }) => <Usd value={valueUsd} /> },
    {
      key: 'share',
      name: 'Part of all collateral',
      cell: ({ share }) => <Meter label="Part of all collateral" value={share} />,
    },
    { key: 'loans', name: 'Loans', align: 'end', cell: ({ loans }) => <Count value={String(loans)} /> },
  ];
  return (
    <DataTable
      label="Collateral by token"
      rows={risk.collateral}
      columns={columns}
      rowKey={({ reserveAddress }) => reserveAddress}
      empty="No loan has collateral."
    />
  );
}
