import type { ReactNode } from 'react';
import { shortAddress } from '../../format/address.ts';
import { CapMeter } from '../../lending/cap-meter.tsx';
import { TokenAmount } from '../../lending/token-amount.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Absent, Part, Usd } from '../../ui/value.tsx';
import { type LendingVault, lendingVaults } from './allocations.ts';
import type { ReserveUse } from './reserve-documents.ts';

export interface ReserveVaultsProps {
  readonly use: ReserveUse;
  readonly symbol: string;
}

/** Vaults that lend to the reserve. */
export function ReserveVaults({ use, symbol }: ReserveVaultsProps): ReactNode {
  const { totalCount, nodes } = use.vaults;
  return (
    <>
      <DataTable
        label="Vaults that lend here"
        rows={lendingVaults(use)}
        columns={vaultColumns(symbol)}
        rowKey={({ vault }) => vault.address}
        href={({ vault }) => `/vaults/${vault.address}`}
        initialSort={{ key: 'invested', direction: 'descending' }}
        empty="No vault allocates to this reserve."
      />
      {totalCount !== null && totalCount > nodes.length && (
        <p className="muted">
          The {nodes.length} most valuable of {totalCount} vaults.
        </p>
      )}
    </>
  );
}

const UNREADABLE = 'A reserve of the vault cannot be read';

const vaultColumns = (symbol: string): readonly Column<LendingVault>[] => [
  {
    key: 'name',
    name: 'Vault',
    sort: { text: ({ vault }) => vault.name },
    cell: ({ vault }) => (vault.name === '' ? shortAddress(vault.address) : vault.name),
  },
  {
    key: 'invested',
    name: 'Invested here',
    sort: { decimal: ({ allocation }) => allocation.invested?.usd },
    cell: ({ allocation }) =>
      allocation.invested === null ? (
        <Absent why={UNREADABLE} />
      ) : (
        <TokenAmount amount={allocation.invested} symbol={symbol} />
      ),
  },
  {
    key: 'actual',
    name: 'Part of the vault',
    sort: { decimal: ({ allocation }) => allocation.actualShare },
    cell: ({ allocation }) => <Part value={allocation.actualShare} absent={UNREADABLE} />,
  },
  {
    key: 'target',
    name: 'Target',
    sort: { decimal: ({ allocation }) => allocation.targetShare },
    cell: ({ allocation }) => <Part value={allocation.targetShare} />,
  },
  {
    key: 'cap',
    name: 'Cap',
    hint: 'Most that the vault may invest here',
    align: 'end',
    cell: ({ allocation: { invested, cap } }) =>
      invested === null ? (
        <Absent why={UNREADABLE} />
      ) : (
        <CapMeter label="Invested" used={invested} capacity={cap} symbol={symbol} />
      ),
  },
  {
    key: 'value',
    name: 'Vault value',
    sort: { decimal: ({ vault }) => vault.totalValue?.usd },
    cell: ({ vault }) => <Usd value={vault.totalValue?.usd} absent={UNREADABLE} />,
  },
];
