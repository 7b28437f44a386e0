import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ActPanelProps } from '../../act/act-panel.tsx';
import { shortAddress } from '../../format/address.ts';
import { tokens } from '../../format/numbers.ts';
import { absence } from '../../ui/absence.ts';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { PlaceMark } from '../../ui/mark.tsx';
import { Failure } from '../../ui/states.tsx';
import { Absent, Part, Percent, Usd } from '../../ui/value.tsx';
import type { VaultPosition } from './wallet-documents.ts';
import type { WalletPartProps } from './wallet-summary.tsx';

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
  const largest = largestOf(positions.map(({ value }) => value?.usd));
  const columns: readonly Column<VaultPosition>[] = [
    { key: 'vault', name: 'Vault', cell: (row) => <Name position={row} />, sort: { text: nameOf } },
    {
      key: 'value',
      name: 'Value',
      cell: (row) => (
        <strong>
          <MoneyValue
            money={row.value}
            largest={largest}
            absent={why(
              row,
              'value',
              'A reserve of the vault cannot be read, or the token has no known price.',
            )}
          />
        </strong>
      ),
      sort: { decimal: ({ value }) => value?.usd ?? null },
      isKey: true,
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
    {
      key: 'staked',
      name: 'Staked',
      hint: 'Part of the shares that is staked in the farm of the vault',
      cell: (row) => <Staked position={row} />,
      align: 'end',
    },
    ...(act === null ? [] : [manageColumn(act)]),
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

function Name({ position }: { readonly position: VaultPosition }): ReactNode {
  const { vault, value } = position;
  return (
    <span className="name">
      <PlaceMark name={nameOf(position)} {...(vault === null ? {} : { token: vault.token.symbol })} />
      <span>
        {nameOf(position)}
        {value !== null && (
          <span className="line2">{tokens(Decimal.of(value.amount), value.token.symbol).text}</span>
        )}
      </span>
    </span>
  );
}

function Staked({ position }: { readonly position: VaultPosition }): ReactNode {
  const { stakedShares, totalShares, vault } = position;
  const all = Decimal.of(totalShares);
  if (vault !== null && vault.farm === null) return <Absent why="The vault has no farm." none />;
  if (all.isZero || Decimal.of(stakedShares).isZero) return <Absent why="No shares are staked." none />;
  return (
    <span title={`${stakedShares} of ${totalShares} shares`}>
      <Part whole derived value={Decimal.of(stakedShares).dividedBy(all, 6).toString()} />
    </span>
  );
}

const manageColumn = (act: NonNullable<ActingProps['act']>): Column<VaultPosition> => ({
  key: 'act',
  name: 'Action',
  align: 'end',
  cell: (row) => {
    const { vault } = row;
    return vault === null ? null : (
      <button
        type="button"
        className="small"
        aria-label={`Manage ${nameOf(row)}`}
        onClick={() => act({ kind: 'vault', vault: vault.address })}
      >
        Manage
      </button>
    );
  },
});
