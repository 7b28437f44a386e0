import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortAddress } from '../../format/address.ts';
import { Address } from '../../ui/address.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { Absent, Plain, Tokens, Usd } from '../../ui/value.tsx';
import type { FarmTransaction, LendingTransaction, VaultTransaction } from './wallet-documents.ts';

const UNPRICED = 'No price was recorded at that time.';

/** DEPOSIT is Deposit, TRANSFER_IN is Transfer in. */
const inWords = (name: string): string => {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

interface Entry {
  readonly createdAt: string;
  readonly kind: string;
  readonly signature: string;
}

const entryColumns: readonly Column<Entry>[] = [
  {
    key: 'time',
    name: 'Time',
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { key: 'kind', name: 'Kind', cell: ({ kind }) => inWords(kind) },
];

const signatureColumn: Column<Entry> = {
  key: 'signature',
  name: 'Signature',
  cell: ({ signature }) => <Address address={signature} what="signature" />,
};

interface Amount {
  readonly amount: string;
  readonly token: { readonly symbol: string };
}

const tokens = (amount: Amount | null, absent: string): ReactNode =>
  amount === null ? <Absent why={absent} /> : <Tokens value={amount.amount} symbol={amount.token.symbol} />;

export const VAULT_COLUMNS: readonly Column<VaultTransaction>[] = [
  ...entryColumns,
  {
    key: 'vault',
    name: 'Vault',
    cell: ({ vault }) =>
      vault === null ? (
        <Absent why="The vault cannot be read." />
      ) : (
        <Link href={`/vaults/${vault.address}`}>{vault.name || shortAddress(vault.address)}</Link>
      ),
  },
  { key: 'tokens', name: 'Tokens', cell: (row) => tokens(row.tokens, ''), align: 'end' },
  {
    key: 'shares',
    name: 'Shares',
    cell: ({ shares }) => <Plain value={shares} places={6} />,
    align: 'end',
  },
  {
    key: 'value',
    name: 'Value then',
    hint: 'At the price of that time',
    cell: ({ valueUsd }) => <Usd value={valueUsd} absent={UNPRICED} />,
    align: 'end',
  },
  signatureColumn,
];

export const LENDING_COLUMNS: readonly Column<LendingTransaction>[] = [
  ...entryColumns,
  {
    key: 'amount',
    name: 'Amount',
    cell: ({ amount }) => tokens(amount, ''),
    align: 'end',
  },
  {
    key: 'value',
    name: 'Value then',
    hint: 'At the price of that time',
    cell: ({ valueUsd }) => <Usd value={valueUsd} absent={UNPRICED} />,
    align: 'end',
  },
  {
    key: 'reserve',
    name: 'Reserve',
    cell: ({ reserve }) =>
      reserve === null ? (
        <Absent why="The reserve cannot be read." />
      ) : (
        <Address address={reserve.address} href={`/reserves/${reserve.address}`} what="reserve" />
      ),
  },
  {
    key: 'loan',
    name: 'Loan',
    cell: ({ obligationAddress }) => <Address address={obligationAddress} what="loan" />,
  },
  signatureColumn,
];

export const FARM_COLUMNS: readonly Column<FarmTransaction>[] = [
  ...entryColumns,
  {
    key: 'amount',
    name: 'Amount',
    cell: ({ amount }) =>
      tokens(amount, 'It ended the whole stake without naming an amount, or the token cannot be read.'),
    align: 'end',
  },
  {
    key: 'value',
    name: 'Value then',
    hint: 'At the price of that time',
    cell: ({ amount }) => <Usd value={amount?.usd} absent={UNPRICED} />,
    align: 'end',
  },
  {
    key: 'farm',
    name: 'Farm',
    cell: ({ farmAddress }) => <Address address={farmAddress} what="farm" />,
  },
  signatureColumn,
];
