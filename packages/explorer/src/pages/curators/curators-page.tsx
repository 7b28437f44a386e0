import { Decimal } from '@sluice/client';
import { usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { curatorName } from '../../lending/curator-name.tsx';
import { usdSum } from '../../lending/usd-sum.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Page } from '../../ui/page.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import { CURATORS, type ListedCurator } from './curators-documents.ts';

const VARIABLES = { first: 100 };
const UNKNOWN = 'A token of a vault has no price, or a reserve cannot be read';

/** No fee is "None", not a zero. */
const feeOf = (usd: string | null) =>
  usd !== null && Decimal.of(usd).isZero
    ? { value: null, none: true, absent: 'It has taken none' }
    : { value: usd, absent: UNKNOWN };

const COLUMNS: readonly Column<ListedCurator>[] = [
  {
    key: 'name',
    name: 'Curator',
    sort: { text: curatorName },
    cell: (curator) => (
      <span className="name">
        <PlaceMark name={curatorName(curator)} logo={curator.logoUrl} />
        <span>
          <span className="name-text">{curatorName(curator)}</span>
          <span className="line2">
            {curator.verified ? (
              <span className="who">
                <Icon name="seal" /> Verified
              </span>
            ) : (
              'Not verified'
            )}
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'value',
    name: 'Value',
    hint: 'Total value of its vaults, which belongs to their shareholders',
    isKey: true,
    sort: { decimal: ({ value }) => value.usd },
    cell: ({ value }) => (
      <b>
        <Usd value={value.usd} absent={UNKNOWN} />
      </b>
    ),
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
    cell: ({ fees }) => <Usd {...feeOf(fees.performance.usd)} />,
  },
  {
    key: 'management',
    isMinor: true,
    name: 'Management fees',
    hint: 'Since each vault was created, at present prices',
    sort: { decimal: ({ fees }) => fees.management.usd },
    cell: ({ fees }) => <Usd {...feeOf(fees.management.usd)} />,
  },
];

export default function CuratorsPage(): ReactNode {
  const pages = usePages(CURATORS, VARIABLES, { connection: ({ curators }) => curators, refetchMs: 60_000 });
  const { nodes } = pages;
  return (
    <Page
      title="Curators"
      crumb={<Link href="/vaults">Earn</Link>}
      lead="Whoever runs vaults, by their admin authority. A name is shown only where the catalogue of this gateway has it: the names of vaults prove nothing."
    >
      <Panel title="All curators" document={CURATORS} variables={VARIABLES} result={pagesResult(pages)}>
        {() => (
          <>
            <Figures>
              <Figure name="Curators">
                <Count value={(pages.totalCount ?? nodes.length).toString()} />
              </Figure>
              <Figure
                name="Verified"
                hint="The catalogue of this gateway says to whom the admin authority belongs"
              >
                <Count value={nodes.filter(({ verified }) => verified).length.toString()} derived />
              </Figure>
              <Figure name="Value of their vaults" hint="Belongs to the shareholders">
                <Usd value={usdSum(nodes.map(({ value }) => value.usd))} absent={UNKNOWN} derived />
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
