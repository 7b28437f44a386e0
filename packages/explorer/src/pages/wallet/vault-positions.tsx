import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { shortAddress } from '../../format/address.ts';
import { absence } from '../../ui/absence.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Failure } from '../../ui/states.tsx';
import { Absent, Percent, Plain, Tokens, Usd } from '../../ui/value.tsx';
import type { VaultPosition } from './wallet-documents.ts';
import type { WalletPartProps } from './wallet-figures.tsx';

export interface ActingProps extends WalletPartProps {
  /** Opens a form for an action. Null when another wallet is shown. */
  readonly act: ((target: ActPanelProps) => void) | null;
}

export function VaultPositions({ wallet, errors, act }: ActingProps): ReactNode {
  const positions = wallet.vaultPositions?.nodes;
  if (positions === undefined)
    return <Failure error={new Error(absence(errors, ['wallet', 'vaultPositions'], 'Unknown'))} />;
  const why = (position: VaultPosition, field: string, otherwise: string) =>
    absence(errors, ['wallet', 'vaultPositions', 'nodes', positions.indexOf(position), field], otherwise);
  const columns: readonly Column<VaultPosition>[] = [
    { key: 'vault', name: 'Vault', cell: nameOf, sort: { text: nameOf } },
    ...(act === null ? [] : [manageColumn(act)]),
    {
      key: 'value',
      name: 'Value',
      cell: (row) => (
        <Usd value={row.value?.usd} absent={why(row, 'value', 'The token has no known price.')} />
      ),
      sort: { decimal: ({ value }) => value?.usd ?? null },
    },
    {
      key: 'tokens',
      name: 'Tokens',
      cell: (row) =>
        row.value === null ? (
          <Absent why={why(row, 'value', 'A reserve of the vault cannot be read.')} />
        ) : (
          <Tokens value={row.value.amount} symbol={row.value.token.symbol} />
        ),
      align: 'end',
    },
    {
      key: 'shares',
      name: 'Shares',
      hint: 'Staked and unstaked shares',
      cell: ({ totalShares, stakedShares }) => (
        <>
          <Plain value={totalShares} places={4} />{' '}
          <small className="muted">
            <Plain value={stakedShares} places={4} /> staked
          </small>
        </>
      ),
      align: 'end',
    },
    {
      key: 'pnl',
      name: 'Profit',
      hint: 'Current value less cost, plus the profit from shares sold',
      cell: (row) => (
        <Usd
          value={row.pnl?.usd}
          signed
          absent={why(row, 'pnl', 'The price at the time of a transaction was not recorded.')}
        />
      ),
      sort: { decimal: ({ pnl }) => pnl?.usd ?? null },
    },
    {
      key: 'apy',
      name: 'APY',
      hint: 'Current yield after fees, with all rewards',
      cell: (row) => (
        <Percent
          value={row.vault?.currentApy?.total}
          absent={why(row, 'vault', 'A reserve of the vault cannot be read.')}
        />
      ),
      sort: { decimal: ({ vault }) => vault?.currentApy?.total ?? null },
    },
  ];
  return (
    <DataTable
      label="Positions"
      rows={positions}
      columns={columns}
      rowKey={({ id }) => id}
      href={({ vault }) => (vault === null ? '/vaults' : `/vaults/${vault.address}`)}
      initialSort={{ key: 'value', direction: 'descending' }}
      empty={
        <>
          This wallet holds no shares of a vault. <Link href="/vaults">See the vaults</Link>
        </>
      }
    />
  );
}

const nameOf = ({ vault }: VaultPosition): string =>
  vault === null ? 'Unknown vault' : vault.name || shortAddress(vault.address);

const manageColumn = (act: NonNullable<ActingProps['act']>): Column<VaultPosition> => ({
  key: 'act',
  name: 'Act',
  cell: (row) => {
    const { vault } = row;
    return vault === null ? null : (
      <button
        type="button"
        aria-label={`Manage ${nameOf(row)}`}
        onClick={() => act({ kind: 'vault', vault: vault.address })}
      >
        Manage
      </button>
    );
  },
});
