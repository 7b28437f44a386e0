import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { ReserveLink } from '../../lending/reserve-link.tsx';
import { Address } from '../../ui/address.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import type { CollateralPart, EndRange, HealthRange, LargeBorrower, MarketRisk } from './risk-documents.ts';
import { endWords, partOf, rangeWords } from './risk-words.ts';

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
