import { graphql, type ResultOf } from '@sluice/client';
import { useLive, useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useMemo } from 'react';
import { usePageVisible } from '../ui/page-visibility.ts';
import { useClock } from './clock.ts';
import { connectionOf } from './connection.ts';
import { useRole } from './use-role.ts';

const SLOTS = graphql(`subscription Slots { slot { slot view } }`);

const CHAIN = graphql(`
  query Status {
    chain {
      slot
      view
      viewAgeMs
      cluster
      commitment
      endpoints { name healthy latencyMs slotLag }
      recorder { status leading lagMs doing percent }
    }
  }
`);

const REFRESH_MS = 5_000;
const CLOCK_MS = 1_000;

/** The state of the gateway behind the page: slot, View and its age, endpoints, history. */
export function StatusStrip(): ReactNode {
  const visible = usePageVisible();
  // A browser opens six connections to a host, for all its tabs: hidden ones must not hold them.
  const { event, error } = useLive(SLOTS, {}, { enabled: visible });
  const result = useSluiceQuery(CHAIN, {}, { refetchMs: REFRESH_MS });
  const chain = result.data?.data.chain;
  const now = useClock(CLOCK_MS);
  // By the clock of this machine.
  const heardAt = useMemo(() => (event === null ? null : Date.now()), [event]);
  const { tone, text, forMs } = connectionOf({
    heardAt,
    now,
    viewAgeMs: chain?.viewAgeMs ?? null,
    refused: error?.message ?? null,
    unreachable: result.isError,
  });
  const slot = event?.data.slot ?? chain;
  return (
    <footer className={`status ${tone}`}>
      <h2 className="visually-hidden">State of the gateway</h2>
      <span title={error?.message ?? result.error?.message}>
        <i className={`dot ${tone}`} />
        <output>{text}</output>
        {forMs !== undefined && ` ${secondsOf(forMs)}`}
      </span>
      <span>
        Slot <b>{slot === undefined ? '–' : Number(slot.slot).toLocaleString()}</b>
      </span>
      <span title="Id of the state that the newest numbers were read from">
        View <b>{slot?.view ?? '–'}</b>
      </span>
      {chain !== undefined && <Deployment chain={chain} />}
    </footer>
  );
}

type Chain = ResultOf<typeof CHAIN>['chain'];

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

const secondsOf = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

const endpointText = ({ name, healthy, latencyMs, slotLag }: Chain['endpoints'][number]): string =>
  [
    `${name}: ${healthy ? 'healthy' : 'avoided'}`,
    ...(latencyMs === null ? [] : [`${Math.round(Number(latencyMs))} ms`]),
    ...(slotLag === null ? [] : [`${slotLag} slots behind`]),
  ].join(', ');

function historyText(recorder: Chain['recorder']): string {
  if (recorder === null) return 'off';
  const { status, percent, lagMs } = recorder;
  if (percent !== null) return `generating ${percent}%`;
  if (status !== 'READY') return status === 'STARTING' ? 'starting' : 'unavailable';
  return lagMs === null ? 'empty' : `${secondsOf(lagMs)} old`;
}

const recorderText = (leading: boolean | null): string =>
  leading === null ? 'elsewhere' : leading ? 'leading' : 'standby';
