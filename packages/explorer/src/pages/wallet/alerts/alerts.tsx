import type { SluiceClient } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../../../format/address.ts';
import { Failure, Loading } from '../../../ui/states.tsx';
import { loanLabel } from '../loan-label.ts';
import { alertTitle, deliveriesText, deliveryText, receiverOf, STATE_WORDS } from './alert-words.ts';
import { ALERTS, type AlertState, DELETE_ALERT, TEST_ALERT } from './alerts-documents.ts';
import { keepApiKey } from './api-key.ts';
import { NewAlert } from './new-alert.tsx';
import { WatchedList, type WatchedProps } from './orders-and-alerts.tsx';
import type { WatchedRow } from './watched-row.ts';

export interface AlertsProps extends WatchedProps {
  /** With the reader's key. */
  readonly client: SluiceClient;
  readonly orders: readonly WatchedRow[];
}

/** The alerts of a key with their newest messages, after the orders. */
export function Alerts({ client, orders, address, loans, positions }: AlertsProps): ReactNode {
  const result = useSluiceQuery(ALERTS, {}, { refetchMs: 30_000 });
  const [problem, setProblem] = useState<Error | null>(null);
  const alerts = result.data?.data.alerts;
  const run = async (change: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await change();
      await result.refetch();
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const nameOf = (subject: string): string | null => {
    if (subject === address) return 'this wallet';
    const loan = loans.find((each) => each.address === subject);
    if (loan !== undefined) return `the loan ${loanLabel(loan, loans)}`;
    const vault = positions.find((position) => position.vault?.address === subject)?.vault;
    return vault ? vault.name || shortAddress(vault.address) : null;
  };
  const rows = (alerts ?? []).map((alert) => rowOf(alert, nameOf, client, run));
  return (
    <>
      <WatchedList
        rows={[...orders, ...rows]}
        empty="No orders and no alerts of this key. An alert calls your server when a figure crosses a line."
      />
      {alerts === undefined && result.error === null && <Loading what="the alerts" />}
      {result.error !== null && <Failure error={result.error} retry={() => void result.refetch()} />}
      {problem !== null && <Failure error={problem} />}
      {alerts !== undefined && (
        <NewAlert
          client={client}
          address={address}
          positions={positions}
          onCreated={() => void result.refetch()}
        />
      )}
      <p className="sub">
        Alerts of your API key.{' '}
        <button type="button" className="quiet" onClick={() => keepApiKey(null)}>
          Forget the key
        </button>
      </p>
    </>
  );
}

function rowOf(
  alert: AlertState,
  nameOf: (address: string) => string | null,
  client: SluiceClient,
  run: (change: () => Promise<unknown>) => Promise<void>,
): WatchedRow {
  const { id, label, url, paused, state, deliveries } = alert;
  const title = alertTitle(alert, nameOf);
  const now = new Date();
  const [newest] = deliveries;
  const hasFailed = newest !== undefined && newest.status === 'DEAD';
  return {
    key: `alert ${id}`,
    kind: 'alert',
    title: label === '' ? title : label,
    detail: label === '' ? 'Alert' : title,
    does: (
      <>
        Calls {receiverOf(url)}
        {newest === undefined ? '.' : `. ${deliveryText(newest, now)}.`}
        {deliveries.length > 1 && (
          <details className="more">
            <summary>
              {deliveries.length} messages<span className="visually-hidden"> of {title}</span>
            </summary>
            <ul className="deliveries">
              {deliveries.map((delivery) => (
                <li key={delivery.id}>{deliveryText(delivery, now)}</li>
              ))}
            </ul>
          </details>
        )}
      </>
    ),
    state: {
      risk: paused || state === 'PENDING' ? null : hasFailed || state !== 'CLEAR' ? 'caution' : 'safe',
      words: paused ? 'Paused' : STATE_WORDS[state],
      more: deliveriesText(deliveries),
    },
    action: (
      <span className="row-actions">
        <button
          type="button"
          className="small"
          onClick={() => void run(() => client.query(TEST_ALERT, { id }))}
        >
          Test<span className="visually-hidden"> {title}</span>
        </button>
        <button
          type="button"
          className="small"
          onClick={() => void run(() => client.query(DELETE_ALERT, { id }))}
        >
          Delete<span className="visually-hidden"> {title}</span>
        </button>
      </span>
    ),
  };
}
