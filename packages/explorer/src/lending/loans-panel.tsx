import { usePages } from '@sluice/client/react';
import { type ReactNode, useMemo, useState } from 'react';
import { dateTime } from '../format/dates.ts';
import { DataTable } from '../ui/data-table.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { pagesResult } from '../ui/pages-result.ts';
import { Panel } from '../ui/panel.tsx';
import { listedRows } from './listed.ts';
import { LOAN_COLUMNS } from './loan-columns.tsx';
import { LOANS } from './loans-documents.ts';

/** `healthBelow` of the filter. Empty: all loans, also those without debt. */
const CHOICES = [
  ['', 'All loans'],
  ['1.5', 'Health below 1.5'],
  ['1.1', 'Health below 1.1'],
  ['1', 'Can be liquidated'],
] as const;

export interface LoansPanelProps {
  readonly market: string;
  /** Only loans with a debt to this reserve. */
  readonly borrowReserve?: string;
}

/** Loans of a market, lowest health first. */
export function LoansPanel({ market, borrowReserve }: LoansPanelProps): ReactNode {
  const [healthBelow, choose] = useState('');
  const variables = {
    market,
    filter: {
      ...(borrowReserve === undefined ? {} : { borrowReserve }),
      ...(healthBelow === '' ? {} : { healthBelow }),
    },
  };
  const pages = usePages(LOANS, variables, {
    connection: ({ obligations }) => obligations,
    refetchMs: 60_000,
  });
  const { answers } = pages;
  const rows = useMemo(
    () => listedRows(answers, ({ obligations }) => obligations.nodes, ['obligations', 'nodes']),
    [answers],
  );
  return (
    <Panel
      title="Loans at risk"
      document={LOANS}
      variables={variables}
      result={pagesResult(pages)}
      controls={<HealthChoice value={healthBelow} onChange={choose} />}
    >
      {({ obligations: { indexedAt } }) => (
        <>
          <p className="muted">
            Lowest health first{pages.totalCount !== null && `, ${pages.totalCount} loans`}.{' '}
            {indexedAt === null
              ? 'The loans of this market have not been indexed yet.'
              : `Found by the index of ${dateTime(new Date(indexedAt), new Date())}; the numbers are read now.`}
          </p>
          <DataTable
            label="Loans at risk"
            rows={rows}
            columns={LOAN_COLUMNS}
            rowKey={({ node }) => node.address}
            empty={healthBelow === '' ? 'There are no loans.' : 'There is no such loan.'}
          />
          <MoreButton pages={pages} what="loans" />
        </>
      )}
    </Panel>
  );
}

function HealthChoice({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (healthBelow: string) => void;
}): ReactNode {
  return (
    <select aria-label="Loans to show" value={value} onChange={({ target }) => onChange(target.value)}>
      {CHOICES.map(([healthBelow, text]) => (
        <option key={healthBelow} value={healthBelow}>
          {text}
        </option>
      ))}
    </select>
  );
}
