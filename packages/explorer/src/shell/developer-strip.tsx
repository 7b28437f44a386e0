import type { ReactNode } from 'react';
import { duration } from '../format/dates.ts';
import { NO_BREAK } from '../format/numbers.ts';
import { type Chain, useGatewayStatus } from './status.ts';
import { useRole } from './use-role.ts';

/** Slot, View, endpoints and history of the gateway, for developers. */
export function DeveloperStrip(): ReactNode {
  const { chain, newest } = useGatewayStatus();
  return (
    <section className="developer" aria-label="State of the gateway">
      <span>
        Slot <b>{newest === null ? 'unknown' : Number(newest.slot).toLocaleString('en-US')}</b>
      </span>
      <span title="Id of the state that the newest numbers were read from">
        View <b>{newest?.view ?? 'unknown'}</b>
      </span>
      {chain !== null && <Deployment chain={chain} />}
      <a href="graphql">GraphiQL</a>
      <a href="docs">REST</a>
    </section>
  );
}

function Deployment({ chain }: { readonly chain: Chain }): ReactNode {
  const { cluster, commitment, endpoints, recorder, viewAgeMs } = chain;
  const role = useRole();
  const healthy = endpoints.filter((endpoint) => endpoint.healthy);
  const tone = healthy.length === endpoints.length ? '' : healthy.length === 0 ? 'danger' : 'caution';
  return (
    <>
      <span title="Age of the View when it was last asked for">
        Lag <b>{secondsOf(viewAgeMs)}</b>
      </span>
      <span className={tone} title={endpoints.map(endpointText).join('\n')}>
        Endpoints{' '}
        <b>
          {healthy.length}/{endpoints.length}
        </b>
      </span>
      <span
        className={recorder?.status === 'UNAVAILABLE' ? 'danger' : ''}
        title={recorder?.doing ?? undefined}
      >
        History <b>{historyText(recorder)}</b>
      </span>
      {recorder !== null && (
        <span title="Whether the recorder of this process writes history">
          Recorder <b>{recorderText(recorder.leading)}</b>
        </span>
      )}
      {role !== null && (
        <span title="Whether this gateway reads the chain itself or follows another one">
          Role <b>{role}</b>
        </span>
      )}
      <span>
        {cluster} · {commitment}
      </span>
    </>
  );
}

const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)}${NO_BREAK}s`;

const endpointText = ({ name, healthy, latencyMs, slotLag }: Chain['endpoints'][number]): string =>
  [
    `${name}: ${healthy ? 'healthy' : 'avoided'}`,
    ...(latencyMs === null ? [] : [`${Math.round(Number(latencyMs))}${NO_BREAK}ms`]),
    ...(slotLag === null ? [] : [`${slotLag} slots behind`]),
  ].join(', ');

function historyText(recorder: Chain['recorder']): string {
  if (recorder === null) return 'off';
  const { status, percent, lagMs } = recorder;
  if (percent !== null) return `generating ${percent}%`;
  if (status !== 'READY') return status === 'STARTING' ? 'starting' : 'unavailable';
  return lagMs === null ? 'empty' : `${duration(lagMs)} old`;
}

const recorderText = (leading: boolean | null): string =>
  leading === null ? 'elsewhere' : leading ? 'leading' : 'standby';
