import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { CuratorLink, NameMark } from '../../lending/curator-name.tsx';
import type { ListedRow } from '../../lending/listed.ts';
import { absence } from '../../ui/absence.ts';
import { APY_SOURCES } from '../../ui/apy-sources.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Absent, Count, Percent, Tokens, Usd } from '../../ui/value.tsx';
import type { ListedVault } from './vaults-documents.ts';

type Row = ListedRow<ListedVault>;

const UNREADABLE = 'A reserve of this vault cannot be read';

const why = ({ errors, path }: Row, field: string, otherwise: string): string =>
  absence(errors, [...path, field], otherwise);

/** A vault may have no name. */
export const vaultName = ({ name, address }: { readonly name: string; readonly address: string }): string =>
  name === '' ? shortAddress(address) : name;

export const VAULT_COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    name: 'Vault',
    sort: { text: ({ node }) => vaultName(node) },
    cell: ({ node }) => vaultName(node),
  },
  {
    key: 'curator',
    name: 'Run by',
    hint: 'By the admin authority of the vault, as the catalogue of this gateway names it',
    sort: { text: ({ node }) => node.curator.name ?? '\uffff' },
    cell: ({ node }) =>
      node.nameVerified ? <CuratorLink curator={node.curator} /> : <NameMark vault={node} />,
  },
  {
    key: 'token',
    name: 'Token',
    sort: { text: ({ node }) => node.token.symbol },
    cell: ({ node }) => <span title={node.token.mint}>{node.token.symbol}</span>,
  },
  {
    key: 'value',
    name: 'Value',
    hint: 'Total value that belongs to the shareholders, in USD',
    sort: { decimal: ({ node }) => node.totalValue?.usd },
    cell: valueCell,
  },
  {
    key: 'apy',
    name: 'APY',
    hint: 'Current yield of shareholders per year, after fees and with all rewards',
    sort: { decimal: ({ node }) => node.currentApy?.total },
    cell: (row) => (
      <strong>
        <Percent value={row.node.currentApy?.total} absent={why(row, 'currentApy', UNREADABLE)} />
      </strong>
    ),
  },
  ...APY_SOURCES.map(
    ({ field, label, about }): Column<Row> => ({
      key: field,
      name: label,
      hint: `Part of the APY: ${about}`,
      sort: { decimal: ({ node }) => node.currentApy?.[field] },
      cell: (row) => sourceCell(row.node.currentApy?.[field], why(row, 'currentApy', UNREADABLE)),
    }),
  ),
  {
    key: 'holders',
    name: 'Holders',
    hint: 'Wallets that hold shares, counted every hour',
    sort: { decimal: ({ node }) => node.holders?.toString() },
    cell: (row) => (
      <Count
        value={row.node.holders?.toString()}
        absent={why(row, 'holders', 'Not counted yet, or this gateway records no history')}
      />
    ),
  },
  { key: 'trend', name: '30 days', hint: 'Value in USD over 30 days', align: 'end', cell: trendCell },
];

/** Without a price the amount of tokens says more than a dash. */
function valueCell(row: Row): ReactNode {
  const { totalValue, token } = row.node;
  if (totalValue === null) return <Absent why={why(row, 'totalValue', UNREADABLE)} />;
  return totalValue.usd === null ? (
    <Tokens value={totalValue.amount} symbol={token.symbol} />
  ) : (
    <Usd value={totalValue.usd} />
  );
}

/** A source that pays nothing steps back. */
function sourceCell(part: string | undefined, absent: string): ReactNode {
  const percent = <Percent value={part} absent={absent} />;
  return part !== undefined && Decimal.of(part).isZero ? <span className="muted">{percent}</span> : percent;
}

function trendCell(row: Row): ReactNode {
  const { metricsHistory, name } = row.node;
  if (metricsHistory === null) return <Absent why={why(row, 'metricsHistory', 'No history is recorded')} />;
  const values = metricsHistory.points.map(({ totalValueUsd }) =>
    totalValueUsd === null ? null : Decimal.of(totalValueUsd).toApproximateNumber(),
  );
  return values.filter((value) => value !== null).length < 2 ? (
    <Absent why="Fewer than two values in USD are recorded" />
  ) : (
    <Sparkline label={`Value of ${name}, last 30 days`} values={values} />
  );
}
