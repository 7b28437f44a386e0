import { usePages } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { lentOut } from '../../lending/lent-out.ts';
import { listedRows } from '../../lending/listed.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Headline } from '../../ui/headline.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Part, Usd } from '../../ui/value.tsx';
import { MARKET_COLUMNS, marketName } from './market-columns.tsx';
import { sumUsd, type UsdSum } from './market-list.ts';
import { MARKETS } from './markets-documents.ts';
import '../../styles/lending.css';
import '../../lending/place.css';

export default function MarketsPage(): ReactNode {
  const pages = usePages(MARKETS, {}, { connection: ({ markets }) => markets, refetchMs: 30_000 });
  const { answers } = pages;
  const rows = useMemo(
    () => listedRows(answers, ({ markets }) => markets.nodes, ['markets', 'nodes']),
    [answers],
  );
  const totals = rows.map(({ node }) => node.totals);
  return (
    <Page title="Markets" lead="Lending markets: each has its own reserves, risk parameters and loans.">
      <Panel title="Lending markets" document={MARKETS} variables={{}} result={pagesResult(pages)}>
        {() => (
          <>
            <MarketsHeadline
              markets={pages.totalCount ?? rows.length}
              supplied={sumUsd(totals.map((total) => total?.suppliedUsd ?? null))}
              borrowed={sumUsd(totals.map((total) => total?.borrowedUsd ?? null))}
            />
            <DataTable
              label="Lending markets"
              rows={rows}
              columns={MARKET_COLUMNS}
              rowKey={({ node }) => node.address}
              href={({ node }) => `/markets/${node.address}`}
              filterText={({ node }) => `${marketName(node)} ${node.address}`}
              initialSort={{ key: 'supplied', direction: 'descending' }}
              empty="The catalogue of this deployment has no markets."
            />
            <MoreButton pages={pages} what="markets" />
          </>
        )}
      </Panel>
    </Page>
  );
}

interface MarketsHeadlineProps {
  readonly markets: number;
  readonly supplied: UsdSum;
  readonly borrowed: UsdSum;
}

/** The sum over the markets on the page. */
function MarketsHeadline({ markets, supplied, borrowed }: MarketsHeadlineProps): ReactNode {
  const part = lentOut({ suppliedUsd: supplied.usd, borrowedUsd: borrowed.usd });
  return (
    <Headline
      label={`Supplied to ${markets} markets`}
      under={
        <>
          <Usd derived value={borrowed.usd} /> of it is lent out
          {part !== null && (
            <>
              , <Part derived value={part} />
            </>
          )}
          {supplied.unknown > 0 && `, without ${supplied.unknown} of unknown value`}
        </>
      }
    >
      <Usd derived value={supplied.usd} />
    </Headline>
  );
}
