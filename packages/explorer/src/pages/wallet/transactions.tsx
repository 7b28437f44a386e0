import type { Document, VariablesOf } from '@sluice/client';
import { type Connection, usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { pagesResult } from '../../ui/pages-result.ts';
import { Panel } from '../../ui/panel.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type CsvColumn, csvOf } from './csv.ts';
import { download } from './download.ts';
import { FARM_COLUMNS, LENDING_COLUMNS, VAULT_COLUMNS } from './transaction-columns.tsx';
import { FARM_CSV, LENDING_CSV, VAULT_CSV } from './transaction-csv.ts';
import { FARM_TRANSACTIONS, LENDING_TRANSACTIONS, VAULT_TRANSACTIONS } from './wallet-documents.ts';

/**
 * Transactions of a wallet by what they were with. Only the selected list is read. Keys keep the lists apart: a list that
 * is being read shows what it showed before.
 */
export function Transactions({ address }: { readonly address: string }): ReactNode {
  const farmKey = ({ signature, kind, farmAddress, tokenMint }: FarmKey) =>
    `${signature} ${kind} ${farmAddress} ${tokenMint}`;
  return (
    <Tabs
      label="Transactions"
      tabs={[
        {
          key: 'vaults',
          name: 'Vaults',
          content: () => (
            <TransactionList
              key="vault"
              title="Vault transactions"
              document={VAULT_TRANSACTIONS}
              address={address}
              connection={({ wallet }) => wallet.vaultTransactions}
              columns={VAULT_COLUMNS}
              csv={VAULT_CSV}
              rowKey={({ id }) => id}
            />
          ),
        },
        {
          key: 'lending',
          name: 'Lending',
          content: () => (
            <TransactionList
              key="lending"
              title="Lending transactions"
              document={LENDING_TRANSACTIONS}
              address={address}
              connection={({ wallet }) => wallet.lendingTransactions}
              columns={LENDING_COLUMNS}
              csv={LENDING_CSV}
              rowKey={({ id }) => id}
            />
          ),
        },
        {
          key: 'farms',
          name: 'Farms',
          content: () => (
            <TransactionList
              key="farm"
              title="Farm transactions"
              document={FARM_TRANSACTIONS}
              address={address}
              connection={({ wallet }) => wallet.farmTransactions}
              columns={FARM_COLUMNS}
              csv={FARM_CSV}
              rowKey={farmKey}
            />
          ),
        },
      ]}
    />
  );
}

interface FarmKey {
  readonly signature: string;
  readonly kind: string;
  readonly farmAddress: string;
  readonly tokenMint: string | null;
}

/** Whether all transactions since the first one have been read from the chain. */
interface Transactions<Row> extends Connection<Row> {
  readonly complete: boolean;
}

/** The same for all three documents. */
type Variables = VariablesOf<typeof VAULT_TRANSACTIONS>;

interface ListProps<Data, Row> {
  readonly title: string;
  readonly document: Document<Data, Variables>;
  readonly address: string;
  readonly connection: (data: Data) => Transactions<Row> | null;
  readonly columns: readonly Column<Row>[];
  readonly csv: readonly CsvColumn<Row>[];
  readonly rowKey: (row: Row) => string;
}

function TransactionList<Data, Row>(props: ListProps<Data, Row>): ReactNode {
  const { title, document, address, connection, columns, csv, rowKey } = props;
  const variables = { address };
  const pages = usePages(document, variables, { connection, refetchMs: 30_000 });
  const name = `${title.toLowerCase().replaceAll(' ', '-')}-${address}.csv`;
  return (
    <Panel
      title={title}
      document={document}
      variables={variables}
      result={pagesResult(pages)}
      controls={
        <button
          type="button"
          disabled={pages.nodes.length === 0}
          onClick={() => download(name, csvOf(csv, pages.nodes), 'text/csv')}
        >
          Download CSV
        </button>
      }
    >
      {(data) => {
        const list = connection(data);
        // The panel says why it could not be read.
        if (list === null) return null;
        return (
          <>
            <DataTable
              label={`${title}, newest first`}
              rows={pages.nodes}
              columns={columns}
              rowKey={rowKey}
              empty={list.complete ? 'No transactions.' : 'Transactions are being read from the chain.'}
            />
            <MoreButton pages={pages} what="transactions" />
            {!list.complete && (
              <p className="muted">
                Older transactions are still being read, or the RPC endpoints no longer hold them.
              </p>
            )}
          </>
        );
      }}
    </Panel>
  );
}
