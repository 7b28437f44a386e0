import { graphql, type ResultOf } from '@sluice/client';
import { useLive, useSluiceQuery } from '@sluice/client/react';
import { createContext, useContext, useMemo } from 'react';
import { usePageVisible } from '../ui/page-visibility.ts';
import { useClock } from './clock.ts';
import { type Connection, connectionOf } from './connection.ts';

const SLOTS = graphql(`subscription Slots { slot { slot view } }`);

export const CHAIN = graphql(`
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

export type Chain = ResultOf<typeof CHAIN>['chain'];

const REFRESH_MS = 5_000;
const CLOCK_MS = 1_000;

/** The state of the gateway behind the page. */
export interface GatewayStatus {
  readonly connection: Connection;
  /** Null before the first answer. */
  readonly chain: Chain | null;
  readonly newest: { readonly slot: string; readonly view: string } | null;
  /** When the gateway answered last, by the clock of this machine. Null before the first time. */
  readonly answeredAt: number | null;
  readonly problem: string | undefined;
  readonly retry: () => void;
}

const StatusContext = createContext<GatewayStatus | null>(null);
export const StatusProvider = StatusContext.Provider;

/** Follows the gateway. Called once, by the frame of the pages. */
export function useGateway(): GatewayStatus {
  const visible = usePageVisible();
  // A browser opens six connections to a host, for all its tabs: hidden ones must not hold them.
  const { event, error } = useLive(SLOTS, {}, { enabled: visible });
  const result = useSluiceQuery(CHAIN, {}, { refetchMs: REFRESH_MS });
  const answer = result.data;
  const now = useClock(CLOCK_MS);
  // By the clock of this machine.
  const heardAt = useMemo(() => (event === null ? null : Date.now()), [event]);
  const readAt = useMemo(() => (answer === undefined ? null : Date.now()), [answer]);
  const chain = answer?.data.chain ?? null;
  const connection = connectionOf({
    heardAt,
    now,
    viewAgeMs: chain?.viewAgeMs ?? null,
    refused: error?.message ?? null,
    // Without a network the browser does not even ask.
    unreachable: result.isError || result.isPaused,
  });
  return {
    connection,
    chain,
    newest: event?.data.slot ?? chain,
    answeredAt: heardAt === null ? readAt : Math.max(heardAt, readAt ?? 0),
    problem: error?.message ?? result.error?.message,
    retry: () => void result.refetch(),
  };
}

export function useGatewayStatus(): GatewayStatus {
  const status = useContext(StatusContext);
  if (status === null) throw new Error('The state of the gateway needs a <StatusProvider> above it.');
  return status;
}
