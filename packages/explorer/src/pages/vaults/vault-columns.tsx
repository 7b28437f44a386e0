import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import type { ListedRow } from '../../lending/listed.ts';
import { CanLeave, leavingNow, VaultName, vaultName, YieldMix } from '../../lending/vault-cells.tsx';
import { absence } from '../../ui/absence.ts';
import { MoneyValue } from '../../ui/currency.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Absent, Percent } from '../../ui/value.tsx';
import type { ListedVault } from './vaults-documents.ts';

type Row = ListedRow<ListedVault>;

const UNREADABLE = 'A reserve of this vault cannot be read';

const why = ({ errors, path }: Row, field: string, otherwise: string): string =>
  absence(errors, [...path, field], otherwise);

/** What the small line of each vault shows: the reader chooses. */
export type Trend = 'value' | 'apy';

export const TRENDS: readonly (readonly [Trend, string])[] = [
  ['value', 'Value'],
  ['apy', 'APY'],
];

/** @param largest value of the column, whose precision all of it have */
export const vaultColumns = (trend: Trend, largest: Decimal | undefined): readonly Column<Row>[] => [
  {
    key: 'name',
    name: 'Vault',
    sort: { text: ({ node }) => vaultName(node) },
    cell: ({ node }) => <VaultName vault={node} />,
  },
  {
    key: 'apy',
    name: 'APY',
    hint: 'Current yield of shareholders per year, after fees and with all rewards',
    isKey: true,
    sort: { decimal: ({ node }) => node.currentApy?.total },
    cell: (row) => (
      <span className="big">
        <Percent value={row.node.currentApy?.total} absent={why(row, 'currentApy', UNREADABLE)} />
      </span>
    ),
  },
  {
    key: 'interest',
    name: 'Where it comes from',
    hint: 'Interest, which borrowers pay, and rewards of farms and campaigns, which end. Sorted by interest.',
    align: 'start',
    sort: { decimal: ({ node }) => node.currentApy?.base },
    cell: (row) => <YieldMix apy={row.node.currentApy} why={why(row, 'currentApy', UNREADABLE)} />,
  },
  {
    key: 'value',
    name: 'Value',
    hint: 'Total value that belongs to the shareholders',
    sort: { decimal: ({ node }) => node.totalValue?.usd },
    cell: (row) => (
      <MoneyValue
        money={row.node.totalValue && { ...row.node.totalValue, token: row.node.token }}
        largest={largest}
        absent={why(row, 'totalValue', UNREADABLE)}
      />
    ),
  },
  {
    key: 'leave',
    name: 'Can leave now',
    hint: 'Part of the vault that could be withdrawn at once',
    isMinor: true,
    sort: { decimal: ({ node }) => leavingNow(node) },
    cell: (row) => <CanLeave vault={row.node} why={why(row, 'withdrawableNow', UNREADABLE)} />,
  },
  {
    key: 'trend',
    name: trend === 'value' ? 'Value, 30 days' : 'APY, 30 days',
    align: 'end',
    isMinor: true,
    cell: (row) => trendCell(row, trend),
  },
];

function trendCell(row: Row, trend: Trend): ReactNode {
  const { metricsHistory, name } = row.node;
  if (metricsHistory === null) return <Absent why={why(row, 'metricsHistory', 'No history is recorded')} />;
  const values = metricsHistory.points.map(({ totalValueUsd, apy }) => {
    const value = trend === 'value' ? totalValueUsd : apy.total;
    return value === null ? null : Decimal.of(value).toApproximateNumber();
  });
  return values.filter((value) => value !== null).length < 2 ? (
    <Absent why="Fewer than two values are recorded" />
  ) : (
    <Sparkline
      label={`${trend === 'value' ? 'Value in USD' : 'APY'} of ${name}, last 30 days`}
      values={values}
    />
  );
}
