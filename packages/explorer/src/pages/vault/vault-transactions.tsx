import type { VariablesOf } from '@sluice/client';
import { usePages } from '@sluice/client/react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../../format/address.ts';
import { Address } from '../../ui/address.tsx';
import { Choice } from '../../ui/choice.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Absent, Plain, Tokens, Usd } from '../../ui/value.tsx';
import { VAULT_TRANSACTIONS, type VaultTransactionRow } from './vault-documents.ts';

const KIND_NAMES: Readonly<Record<VaultTransactionRow['kind'], string>> = {
  DEPOSIT: 'Deposit',
  WITHDRAW: 'Withdrawal',
  TRANSFER_IN: 'Transfer in',
  TRANSFER_OUT: 'Transfer out',
  INVEST: 'Investment',
};

type Kinds = VariablesOf<typeof VAULT_TRANSACTIONS>['kinds'];

/** A deposit is invested into each reserve, so the list starts with the holders. */
const CHOICES = {
  holders: ['DEPOSIT', 'WITHDRAW', 'TRANSFER_IN', 'TRANSFER_OUT'],
  invest: ['INVEST'],
  all: null,
} as const satisfies Record<string, Kinds>;

const CHOICE_NAMES = [
  ['holders', 'Holders'],
  ['invest', 'Investments'],
  ['all', 'All'],
] as const;

/** Transactions of the vault, newest first. */
export function VaultTransactions({ address }: { readonly address: string }): ReactNode {
  const [choice, choose] = useState<keyof typeof CHOICES>('holders');
  const variables = { address, first: 20, kinds: CHOICES[choice] };
  const pages = usePages(VAULT_TRANSACTIONS, variables, {
    connection: ({ vault }) => vault?.transactions,
    refetchMs: 30_000,
  });
  const symbol = pages.answers[0]?.data.vault?.token.symbol ?? '';
  const columns = useMemo(() => transactionColumns(symbol), [symbol]);
  return (
    <Panel
      title="Transactions"
      document={VAULT_TRANSACTIONS}
      variables={variables}
      result={pagesResult(pages)}
      controls={
        <Choice label="Transactions to show" options={CHOICE_NAMES} value={choice} onChange={choose} />
      }
    >
      {({ vault }) => {
        const transactions = vault?.transactions ?? null;
        if (transactions === null) return <Empty>There are no transactions to list.</Empty>;
        return (
          <>
            <DataTable
              label="Transactions"
              rows={pages.nodes}
              columns={columns}
              rowKey={({ id }) => id}
              empty={transactions.complete ? 'There are no such transactions.' : 'None has been read yet.'}
            />
            {!transactions.complete && (
              <p className="muted">Not all transactions have been read from the chain yet.</p>
            )}
            <MoreButton pages={pages} what="transactions" />
          </>
        );
      }}
    </Panel>
  );
}

const transactionColumns = (symbol: string): readonly Column<VaultTransactionRow>[] => [
  { key: 'time', name: 'Time', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { key: 'kind', name: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] },
  {
    key: 'tokens',
    name: 'Tokens',
    align: 'end',
    cell: ({ tokens }) => <Tokens value={tokens.amount} symbol={symbol} />,
  },
  {
    key: 'usd',
    name: 'Value',
    hint: 'At the price of that time',
    align: 'end',
    cell: ({ valueUsd }) => <Usd value={valueUsd} absent="No price was recorded at that time" />,
  },
  {
    key: 'shares',
    name: 'Shares',
    align: 'end',
    cell: ({ shares, kind }) =>
      kind === 'INVEST' ? (
        <Absent why="An investment changes no shares" />
      ) : (
        <Plain value={shares} places={4} />
      ),
  },
  {
    key: 'wallet',
    name: 'Wallet',
    hint: 'The wallet whose shares changed; for an investment, the one that paid for it',
    cell: ({ wallet: { address } }) => (
      <Address address={address} href={`/wallet/${address}`} what="wallet" />
    ),
  },
  { key: 'reserve', name: 'Reserve', hint: 'Where tokens were moved to or from', cell: reserveCell },
  {
    key: 'signature',
    name: 'Signature',
    cell: ({ signature }) => <Address address={signature} what="signature" />,
  },
];

function reserveCell({ reserveAddress, reserve }: VaultTransactionRow): ReactNode {
  if (reserveAddress === null) return <Absent why="Only idle tokens or shares moved" />;
  return (
    <Link href={`/reserves/${reserveAddress}`} title={reserveAddress}>
      {reserve?.market?.name || shortAddress(reserveAddress)}
    </Link>
  );
}
