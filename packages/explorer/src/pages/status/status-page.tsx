import { graphql, type ResultOf } from '@sluice/client';
import { useSluiceQuery } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { duration } from '../../format/dates.ts';
import { useGatewayStatus } from '../../shell/status.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Badge, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { historyWords, ROLES } from './status-words.ts';
import { useReadiness } from './use-readiness.ts';
import './status.css';

const STATUS = graphql(`
  query DataStatus {
    chain {
      slot
      view
      viewAgeMs
      blockTime
      cluster
      commitment
      slotDurationMs
      endpoints { name healthy latencyMs slotLag }
      recorder { status leading lagMs doing percent }
      programs { name address version implementedVersion state deployedAt warning }
    }
  }
`);

type Chain = ResultOf<typeof STATUS>['chain'];

const REFRESH_MS = 5_000;

/** Where the numbers come from and how old they are, for those who run the gateway and those who doubt it. */
export default function StatusPage(): ReactNode {
  const { connection } = useGatewayStatus();
  const result = useSluiceQuery(STATUS, {}, { refetchMs: REFRESH_MS });
  const panel = { document: STATUS, variables: {}, result };
  const chain = result.data?.data.chain;
  return (
    <Page title="Data status" lead="Where the numbers of these pages come from, and how old they are.">
      <Panel title="Now" {...panel}>
        {({ chain: read }) => <Now chain={read} isLive={connection.tone === 'safe'} text={connection.text} />}
      </Panel>
      {chain !== undefined && (
        <>
          <Panel title="Sources" secondary {...panel}>
            {() => <Sources endpoints={chain.endpoints} />}
          </Panel>
          <Panel title="Programs" secondary {...panel}>
            {() => <Programs programs={chain.programs} />}
          </Panel>
        </>
      )}
    </Page>
  );
}

interface NowProps {
  readonly chain: Chain;
  readonly isLive: boolean;
  readonly text: string;
}

function Now({ chain, isLive, text }: NowProps): ReactNode {
  const { viewAgeMs, blockTime, cluster, commitment, slot, recorder, slotDurationMs } = chain;
  const ready = useReadiness();
  const history = historyWords(recorder);
  return (
    <>
      {ready?.reasons.map((reason) => (
        <Notice key={reason} tone="danger" title="The gateway is not ready.">
          {reason}
        </Notice>
      ))}
      <Figures>
        <Figure name="Pages" detail="News of the chain reach this page as they happen">
          <Badge tone={isLive ? 'safe' : 'caution'}>{text}</Badge>
        </Figure>
        <Figure
          name="Age of the figures"
          detail={<>Chain time {blockTime === null ? 'unknown' : <Time value={blockTime} />}</>}
        >
          {duration(viewAgeMs)}
        </Figure>
        <Figure name="History" detail={history.detail}>
          <Badge tone={history.tone}>{history.text}</Badge>
        </Figure>
        <Figure
          name="Network"
          detail={`Slot ${Number(slot).toLocaleString('en-US')}, read when ${commitment}`}
        >
          {cluster}
        </Figure>
        <Figure name="Time of a slot" detail="Rates of a year are scaled by it">
          {Number(slotDurationMs).toFixed(0)} ms
        </Figure>
        <Figure name="This gateway" detail={ready?.role == null ? undefined : ROLES[ready.role]}>
          {ready?.role ?? 'unknown'}
        </Figure>
      </Figures>
      {ready !== null && ready.alarms.length > 0 && (
        <Notice tone="caution" title="Some figures differ from those of the chain.">
          <ul>
            {ready.alarms.map((alarm) => (
              <li key={alarm}>{alarm}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Sources({ endpoints }: Pick<Chain, 'endpoints'>): ReactNode {
  const healthy = endpoints.filter((endpoint) => endpoint.healthy).length;
  return (
    <>
      <p>
        {healthy === endpoints.length
          ? `All ${endpoints.length === 1 ? 'sources (one)' : `${endpoints.length} sources`} answer well.`
          : `${healthy} of ${endpoints.length} sources answer well; the others are avoided.`}
      </p>
      <ul className="status-rows">
        {endpoints.map(({ name, healthy: isHealthy, latencyMs, slotLag }) => (
          <li key={name}>
            <b>{name}</b>
            <Badge tone={isHealthy ? 'safe' : 'danger'}>{isHealthy ? 'In use' : 'Avoided'}</Badge>
            <span>
              {latencyMs === null ? 'No answer yet' : `Answers in ${Math.round(Number(latencyMs))} ms`}
            </span>
            <span>{lagWords(slotLag)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function lagWords(slotLag: string | null): string {
  if (slotLag === null) return 'Distance to the newest slot unknown';
  if (slotLag === '0') return 'At the newest slot';
  return `${slotLag} slot${slotLag === '1' ? '' : 's'} behind`;
}

const STATES = {
  CHECKED: ['safe', 'Checked'],
  NEWER: ['caution', 'Newer than checked'],
  OLDER: ['caution', 'Older than checked'],
  UNKNOWN: ['info', 'Not known'],
} as const;

function Programs({ programs }: Pick<Chain, 'programs'>): ReactNode {
  return (
    <ul className="status-rows">
      {programs.map(({ name, address, version, implementedVersion, state, deployedAt, warning }) => {
        const [tone, text] = STATES[state];
        return (
          <li key={address}>
            <b>{name}</b>
            <Badge tone={tone}>{text}</Badge>
            <span>
              Deployed {version ?? 'version unknown'}
              {deployedAt !== null && (
                <>
                  , since <Time value={deployedAt} />
                </>
              )}
              . The gateway follows {implementedVersion}.
            </span>
            <Address address={address} what="program" />
            {warning !== null && <Notice tone="caution">{warning}</Notice>}
          </li>
        );
      })}
    </ul>
  );
}
