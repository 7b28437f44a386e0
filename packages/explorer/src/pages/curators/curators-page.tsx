import { usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { curatorName, VerifiedMark } from '../../lending/curator-name.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import { CURATORS, type ListedCurator } from './curators-documents.ts';

const VARIABLES = { first: 100 };
const UNKNOWN = 'A token of a vault has no price, or a reserve cannot be read';

const COLUMNS: readonly Column<ListedCurator>[] = [
  { key: 'name', name: 'Curator', sort: { text: curatorName }, cell: curatorName },
  {
    key: 'verified',
    name: 'Name',
    hint: 'Whether the catalogue of this gateway says to whom the admin authority belongs',
    sort: { text: ({ verified }) => (verified ? 'a' : 'b') },
    cell: ({ verified }) => <VerifiedMark verified={verified} />,
  },
  {
    key: 'value',
    name: 'Value',
    hint: 'Total value of its vaults, which belongs to their shareholders',
    sort: { decimal: ({ value }) => value.usd },
    cell: ({ value }) => <Usd value={value.usd} absent={UNKNOWN} />,
  },
  {
    key: 'vaults',
    name: 'Vaults',
    sort: { decimal: ({ vaults }) => String(vaults.totalCount ?? 0) },
    cell: ({ vaults }) => <Count value={vaults.totalCount?.toString()} />,
  },
  {
    key: 'performance',
    name: 'Performance fees',
    hint: 'Since each vault was created, at present prices',
    sort: { decimal: ({ fees }) => fees.performance.usd },
    cell: ({ fees }) => <Usd value={fees.performance.usd} absent={UNKNOWN} />,
  },
  {
    key: 'management',
    name: 'Management fees',
    hint: 'Since each vault was created, at present prices',
    sort: { decimal: ({ fees }) => fees.management.usd },
    cell: ({ fees }) => <Usd value={fees.management.usd} absent={UNKNOWN} />,
  },
];

export default function CuratorsPage(): ReactNode {
  const pages = usePages(CURATORS, VARIABLES, { connection: ({ curators }) => curators, refetchMs: 60_000 });
  const { nodes } = pages;
  return (
    <Page
      title="Curators"
      lead="Whoever runs vaults, by their admin authority. A name is shown only where the catalogue of this gateway has it: the names of vaults prove nothing."
    >
      <Panel title="All curators" document={CURATORS} variables={VARIABLES} result={pagesResult(pages)}>
        {() => (
          <>
            <Figures>
              <Figure name="Curators">
                <Count value={(pages.totalCount ?? nodes.length).toString()} />
              </Figure>
              <Figure name="Verified">
                <Count value={nodes.filter(({ verified }) => verified).length.toString()} derived />
              </Figure>
            </Figures>
            <DataTable
              label="Curators"
              rows={nodes}
              columns={COLUMNS}
              rowKey={({ address }) => address}
              href={({ address }) => `/curators/${address}`}
              filterText={(curator) => `${curatorName(curator)} ${curator.address}`}
              initialSort={{ key: 'value', direction: 'descending' }}
              empty="There are no vaults, and so no curators."
            />
            <MoreButton pages={pages} what="curators" />
          </>
        )}
      </Panel>
    </Page>
  );
}
