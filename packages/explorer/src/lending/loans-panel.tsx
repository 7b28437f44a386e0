import { usePages } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { dateTime } from '../format/dates.ts';
import { DataTable } from '../ui/data-table.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { pagesResult } from '../ui/pages-result.ts';
import { Panel } from '../ui/panel.tsx';
import { useUrlChoice } from '../ui/url-state.ts';
import { listedRows } from './listed.ts';
import { loanColumns } from './loan-columns.tsx';
import { LOANS } from './loans-documents.ts';

/** `healthBelow` of the filter. All: also those without debt. */
const CHOICES = [
  ['1.1', 'Health below 1.10'],
  ['1.5', 'Health below 1.50'],
  ['1', 'Can be liquidated'],
  ['all', 'All loans'],
] as const;

type HealthBelow = (typeof CHOICES)[number][0];

const WORDS: Readonly<Record<HealthBelow, string>> = {
  '1.1': 'with health below 1.10',
  '1.5': 'with health below 1.50',
  '1': 'that can be liquidated',
  all: 'loans',
};

export interface LoansPanelProps {
  readonly market: string;
  /** Only loans with a debt to this reserve. */
  readonly borrowReserve?: string;
}

/** Loans of a market, lowest health first. */
export function LoansPanel({ market, borrowReserve }: LoansPanelProps): ReactNode {
  const [healthBelow, choose] = useUrlChoice<HealthBelow>(
    'loans.below',
    CHOICES.map(([below]) => below),
    '1.1',
  );
  const variables = {
    market,
    filter: {
      ...(borrowReserve === undefined ? {} : { borrowReserve }),
      ...(healthBelow === 'all' ? {} : { healthBelow }),
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
  const columns = useMemo(() => loanColumns(rows), [rows]);
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
          <p className="sub">
            {pages.totalCount !== null &&
              `${rows.length} of ${pages.totalCount} ${WORDS[healthBelow]}, lowest health first. `}
            {indexedAt === null
              ? 'The loans of this market have not been indexed yet.'
              : `Found by the index of ${dateTime(new Date(indexedAt), new Date())}; the numbers are read now.`}
          </p>
          <DataTable
            label="Loans at risk"
            rows={rows}
            columns={columns}
            rowKey={({ node }) => node.address}
            href={({ node }) => `/wallet/${node.owner.address}`}
            empty={
              healthBelow === 'all' ? 'There are no loans.' : `There are no loans ${WORDS[healthBelow]}.`
            }
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
  readonly value: HealthBelow;
  readonly onChange: (healthBelow: HealthBelow) => void;
}): ReactNode {
  return (
    <select
      aria-label="Loans to show"
      value={value}
      onChange={({ target }) => {
        const next = CHOICES.find(([below]) => below === target.value);
        if (next !== undefined) onChange(next[0]);
      }}
    >
      {CHOICES.map(([healthBelow, text]) => (
        <option key={healthBelow} value={healthBelow}>
          {text}
        </option>
      ))}
    </select>
  );
}
