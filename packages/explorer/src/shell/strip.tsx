import { type ReactNode, useMemo } from 'react';
import { dateTime } from '../format/dates.ts';
import { Icon } from '../ui/icon.tsx';
import { useGatewayStatus } from './status.ts';

/** Above the header: what concerns every number of the page. One at a time, the worse one. */
export function Strip(): ReactNode {
  const { connection, chain, answeredAt, retry } = useGatewayStatus();
  const since = useMemo(
    () => (answeredAt === null ? null : dateTime(new Date(answeredAt), new Date())),
    [answeredAt],
  );
  if (connection.tone === 'broken') {
    return (
      <div className="strip lost" role="alert">
        <Icon name="danger" />
        <span>
          <b>{since === null ? 'No connection.' : `No connection since ${since}.`}</b>{' '}
          {since !== null && 'Figures are from then. '}Trying again every few seconds.
        </span>
        <button type="button" className="small" onClick={retry}>
          Try now
        </button>
      </div>
    );
  }
  if (chain?.cluster !== 'localnet') return null;
  return (
    <aside className="strip demo" aria-label="Demo data">
      <Icon name="info" />
      <span>
        <b>Demo data.</b> A practice chain on this computer; no real money.
      </span>
      <a href="localnet.json">Its addresses</a>
    </aside>
  );
}
