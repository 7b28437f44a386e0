import { usePages } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { listedRows } from '../../lending/listed.ts';
import { tvlUsd } from '../../lending/tvl.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import { MARKET_COLUMNS, marketName } from './market-columns.tsx';
import { sumUsd, type UsdSum } from './market-list.ts';
import { MARKETS } from './markets-documents.ts';
import '../../styles/lending.css';

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
            <Figures>
              <Figure name="Markets">
                <Count value={(pages.totalCount ?? rows.length).toString()} />
              </Figure>
              <Sum name="Supplied" sum={sumUsd(totals.map((total) => total?.suppliedUsd ?? null))} />
              <Sum name="Borrowed" sum={sumUsd(totals.map((total) => total?.borrowedUsd ?? null))} />
              <Sum name="TVL" hint="Supplied less borrowed" sum={sumUsd(totals.map(tvlUsd))} />
            </Figures>
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

/** A sum over the markets on the page. */
function Sum({
  name,
  hint,
  sum,
}: {
  readonly name: string;
  readonly hint?: string;
  readonly sum: UsdSum;
}): ReactNode {
  return (
    <Figure
      name={name}
      {...(hint === undefined ? {} : { hint })}
      {...(sum.unknown === 0 ? {} : { detail: `without ${sum.unknown} of unknown value` })}
    >
      <Usd value={sum.usd} derived />
    </Figure>
  );
}
