import { createClient } from '@sluice/client';
import { SluiceProvider } from '@sluice/client/react';
import { type ReactNode, useId, useMemo } from 'react';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { RiskBadge } from '../../../ui/health.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Badge } from '../../../ui/notice.tsx';
import type { ActingProps } from '../vault-positions.tsx';
import type { Loan, VaultPosition } from '../wallet-documents.ts';
import { Alerts } from './alerts.tsx';
import { useApiKey } from './api-key.ts';
import { KeyForm } from './key-form.tsx';
import { orderRows } from './order-rows.tsx';
import type { WatchedRow } from './watched-row.ts';

export interface WatchedProps {
  readonly address: string;
  readonly loans: readonly Loan[];
  readonly positions: readonly VaultPosition[];
}

/** What watches the wallet: orders of its loans, which act by themselves, and alerts of the reader's API key. */
export function OrdersAndAlerts({ act, ...watched }: WatchedProps & Pick<ActingProps, 'act'>): ReactNode {
  const key = useApiKey();
  const heading = useId();
  const client = useMemo(
    () => (key === null ? null : createClient({ url: new URL('.', location.href).href, key })),
    [key],
  );
  const orders = orderRows(watched.loans, act);
  return (
    <section className="panel" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>Orders and alerts</h2>
      </header>
      <div className="content">
        {client === null ? (
          <>
            <WatchedList
              rows={orders}
              empty="No orders. An order repays a loan by itself when a price is reached."
            />
            <KeyForm />
          </>
        ) : (
          <SluiceProvider key={key} client={client}>
            <Alerts client={client} orders={orders} {...watched} />
          </SluiceProvider>
        )}
      </div>
    </section>
  );
}

export function WatchedList({
  rows,
  empty,
}: {
  readonly rows: readonly WatchedRow[];
  readonly empty: string;
}): ReactNode {
  return (
    <DataTable
      label="Orders and alerts"
      rows={rows}
      columns={COLUMNS}
      rowKey={({ key }) => key}
      empty={empty}
    />
  );
}

const COLUMNS: readonly Column<WatchedRow>[] = [
  {
    key: 'what',
    name: 'Order or alert',
    cell: ({ kind, title, detail }) => (
      <span className="name">
        <Icon name={kind === 'order' ? 'protect' : 'info'} />
        <span>
          <strong>{title}</strong>
          <span className="line2">{detail}</span>
        </span>
      </span>
    ),
  },
  { key: 'does', name: 'Tells or does', cell: ({ does }) => <span className="does">{does}</span> },
  {
    key: 'state',
    name: 'State',
    cell: ({ state: { risk, words, more } }) => (
      <span>
        {risk === null ? <Badge>{words}</Badge> : <RiskBadge risk={risk}>{words}</RiskBadge>}
        {more !== undefined && <span className="line2">{more}</span>}
      </span>
    ),
  },
  { key: 'action', name: 'Action', cell: ({ action }) => action, align: 'end' },
];
