import type { ReactNode } from 'react';
import { lentOut } from '../../lending/lent-out.ts';
import { LentOutBar } from '../../lending/lent-out-bar.tsx';
import type { ListedRow } from '../../lending/listed.ts';
import { tvlUsd } from '../../lending/tvl.ts';
import { absence } from '../../ui/absence.ts';
import type { Column } from '../../ui/data-table.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Badge } from '../../ui/notice.tsx';
import { Count, Usd } from '../../ui/value.tsx';
import { loansOf } from './market-list.ts';
import type { MarketRow } from './markets-documents.ts';

type Row = ListedRow<MarketRow>;

const UNPRICED = 'A reserve of this market that holds tokens has no price';

const whyUnknown = ({ errors, path }: Row): string => absence(errors, [...path, 'totals'], UNPRICED);

const loans = ({ node }: Row): string | null => loansOf(node)?.toString() ?? null;

export const MARKET_COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    name: 'Market',
    sort: { text: ({ node }) => node.name },
    cell: ({ node }) => (
      <span className="name">
        <PlaceMark name={marketName(node)} />
        <span>
          {marketName(node)}
          <span className="line2">
            <MarketMarks market={node} />
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'supplied',
    name: 'Supplied',
    hint: 'Total that belongs to suppliers, over all reserves',
    isKey: true,
    sort: { decimal: ({ node }) => node.totals?.suppliedUsd },
    cell: (row) => (
      <span className="strong">
        <Usd value={row.node.totals?.suppliedUsd} absent={whyUnknown(row)} />
      </span>
    ),
  },
  {
    key: 'lent',
    name: 'Lent out',
    hint: 'Part of the supply that is borrowed',
    align: 'start',
    sort: { decimal: ({ node }) => lentOut(node.totals) },
    cell: (row) => <LentOutBar derived value={lentOut(row.node.totals)} absent={whyUnknown(row)} />,
  },
  {
    key: 'borrowed',
    name: 'Borrowed',
    hint: 'Total borrowed with interest, over all reserves',
    sort: { decimal: ({ node }) => node.totals?.borrowedUsd },
    cell: (row) => <Usd value={row.node.totals?.borrowedUsd} absent={whyUnknown(row)} />,
  },
  {
    key: 'tvl',
    name: 'Not lent out',
    hint: 'Supplied less borrowed',
    isMinor: true,
    sort: { decimal: ({ node }) => tvlUsd(node.totals) },
    cell: (row) => <Usd derived value={tvlUsd(row.node.totals)} absent={whyUnknown(row)} />,
  },
  {
    key: 'reserves',
    name: 'Reserves',
    sort: { decimal: ({ node }) => node.totals?.reserves.toString() },
    cell: (row) => <Count value={row.node.totals?.reserves.toString()} absent={whyUnknown(row)} />,
  },
  {
    key: 'loans',
    name: 'Loans',
    hint: 'Also loans without debt, according to the last hourly scan',
    sort: { decimal: loans },
    cell: (row) => (
      <Count
        value={loans(row)}
        absent={absence(
          row.errors,
          [...row.path, 'metricsHistory'],
          'The loans of this market have not been scanned yet',
        )}
      />
    ),
  },
];

/** A market may have no name, neither in the catalogue nor in its account. */
export const marketName = ({ name, address }: { readonly name: string; readonly address: string }): string =>
  name === '' ? `Market ${address.slice(0, 4)}…${address.slice(-4)}` : name;

export function MarketMarks({
  market,
}: {
  readonly market: Pick<MarketRow, 'isPrimary' | 'isCurated' | 'borrowingDisabled'>;
}): ReactNode {
  return (
    <span className="links">
      {market.isPrimary && <Badge tone="safe">Primary</Badge>}
      {market.isCurated && <Badge>Curated</Badge>}
      {market.borrowingDisabled && <Badge tone="caution">Borrowing disabled</Badge>}
    </span>
  );
}
